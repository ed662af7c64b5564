#include "runtime/data/inputs_draw.h"
#include <math.h>
#include <rg/hash.h>

static uint64_t bits(uint64_t key, uint64_t i)
{
    return rg_mix64(key + i * 0xd1342543de82ef95u);
}

double rg__draw_unit(uint64_t key, uint64_t i)
{
    return (double)(bits(key, i) >> 11) * 0x1p-53;
}

/* Sum of four 16-bit uniforms, scaled to variance 1: no libm, so the same on every machine. */
static double roughly_normal(uint64_t key, uint64_t i)
{
    uint64_t r = bits(key, i);
    int64_t s = (int64_t)((r & 0xffff) + (r >> 16 & 0xffff) + (r >> 32 & 0xffff) + (r >> 48)) - 2 * 65535;
    return (double)s * (1.7320508075688772 / 65536);
}

static double normal(uint64_t key, uint64_t i)
{
    double u = 1 - rg__draw_unit(key, 2 * i), v = rg__draw_unit(key, 2 * i + 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static double styled(const struct rg_draw *d, uint64_t i)
{
    static const double five[2][5] = {{-1, -0.5, 0, 0.5, 1}, {0.25, 0.5, 1, 1.5, 2}};
    double u = d->style == 1 ? 0 : rg__draw_unit(d->key, i);
    if (d->positive) {
        switch (d->style) {
        case 1:
            return 0.05 + fabs(roughly_normal(d->key, i));
        case 2:
            return 0.5 + u;
        case 3:
            return 1 + 99 * u;
        case 4:
            return five[1][(int)(u * 5)];
        default:
            return 0.05 + 0.95 * u;
        }
    }
    switch (d->style) {
    case 1:
        return roughly_normal(d->key, i);
    case 2:
        return u;
    case 3:
        return 200 * u - 100;
    case 4:
        return five[0][(int)(u * 5)];
    default:
        return 2 * u - 1;
    }
}

static uint64_t scale(uint64_t r, uint64_t span)
{
    return (uint64_t)(((unsigned __int128)r * span) >> 64);
}

/* A bijection of 0..n-1: four Feistel rounds on the next power of four, walked until inside. */
static uint64_t permuted(uint64_t key, uint64_t n, uint64_t i)
{
    int half = 1;
    while (half < 31 && UINT64_C(1) << 2 * half < n) half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t l = i >> half & mask, r = i & mask;
        for (int k = 0; k < 4; k++) {
            uint64_t t = l ^ (bits(key + (uint64_t)k, r) >> 33 & mask);
            l = r;
            r = t;
        }
        i = l << half | r;
    } while (i >= n);
    return i;
}

/* The generator of shared/kernels, jumped ahead: s -> s*1664525 + 1013904223 mod 2^32, `steps` times. */
static uint32_t lcg_jump(uint32_t s, uint64_t steps)
{
    uint32_t a = 1664525u, c = 1013904223u, ra = 1, rc = 0;
    for (; steps; steps >>= 1) {
        if (steps & 1) {
            ra *= a;
            rc = rc * a + c;
        }
        c = c * a + c;
        a *= a;
    }
    return s * ra + rc;
}

static void lcg(const struct rg_draw *d, int64_t from, int n, double *reals, int64_t *ints)
{
    uint32_t s = lcg_jump((uint32_t)d->ia, (uint64_t)from);
    int64_t span = d->ic > d->ib ? d->ic - d->ib : 1;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        uint32_t h = s >> 8;
        if (reals)
            reals[i] = d->b + (d->c - d->b) * ((double)h * 0x1p-24);
        else
            ints[i] = d->ib + (int64_t)h % span;
    }
}

/* Where row i of n begins, of a matrix of `total` elements; each row has `least` at least where there are so many. One
 * for all seeds and parameters: columns and values go by the same. */
static int64_t row_start(int64_t i, int64_t n, int64_t total, int64_t least)
{
    if (i <= 0) return 0;
    if (i >= n) return total;
    if (least > total / n) least = total / n;
    int64_t over = total - least * n;
    double at = ((double)i + rg__draw_unit(0, (uint64_t)i) - 0.5) / (double)n * (double)over;
    return least * i + (at < 0 ? 0 : at > (double)over ? over : (int64_t)at);
}

/* Ascending by `total`; the steps vary between none and twice the mean. */
static int64_t prefix(const struct rg_draw *d, int64_t i)
{
    if (d->ic > 0 && d->n > 1) return d->ib + row_start(i, d->n - 1, d->ia, d->ic);
    if (i <= 0) return d->ib;
    if (i >= d->n - 1) return d->ib + d->ia;
    double u = (double)i + rg__draw_unit(d->key, (uint64_t)i) - 0.5;
    int64_t v = (int64_t)(u / (double)(d->n - 1) * (double)d->ia);
    return d->ib + (v < 0 ? 0 : v > d->ia ? d->ia : v);
}

/* Is it the zero of a string, or behind that? */
static bool past_string(const struct rg_draw *d, int64_t i)
{
    const int64_t row = d->whole[3];
    if (row <= 0) return i >= d->ia;
    return i % row >= (int64_t)(rg__draw_unit(~d->key, (uint64_t)(i / row)) * (double)(d->ia + 1));
}

/* Column of element k: the row's own in the middle, its neighbours on both sides, round the corner. */
static int64_t band_column(const struct rg_draw *d, int64_t k)
{
    int64_t w = d->ia > 0 ? d->ia : 1, n = d->ib > 0 ? d->ib : 1, c;
    if (d->ic) k = k % n * w + k / n;
    c = (k / w - w / 2 + k % w) % n;
    return c < 0 ? c + n : c;
}

/* Of a symmetric matrix; that much more is on the diagonal. */
static double off_diagonal(const struct rg_draw *d, int64_t row, int64_t column, int64_t n)
{
    uint64_t lo = (uint64_t)(row < column ? row : column), hi = (uint64_t)(row < column ? column : row);
    return -rg__draw_unit(d->key, lo * (uint64_t)n + hi);
}

static double band_value(const struct rg_draw *d, int64_t k)
{
    int64_t w = d->ia > 0 ? d->ia : 1, n = d->ib > 0 ? d->ib : 1, column = band_column(d, k);
    if (d->ic) k = k % n * w + k / n;
    return k % w == w / 2 ? (double)w - off_diagonal(d, column, column, n) : off_diagonal(d, k / w % n, column, n);
}

/* Element k of a matrix with rows of many lengths: its column, and the row's length where that is the row's own, else
 * 0. A row's columns ascend, as many on both sides of the diagonal as there is room for. */
static int64_t rows_column(const struct rg_draw *d, int64_t k, int64_t *diagonal)
{
    int64_t n = d->ib > 0 ? d->ib : 1, total = d->ia > 0 ? d->ia : 0;
    int64_t row = total ? (int64_t)((double)k / (double)total * (double)n) : 0;
    if (row > n - 1) row = n - 1;
    while (row > 0 && row_start(row, n, total, 1) > k) row--;
    while (row < n - 1 && row_start(row + 1, n, total, 1) <= k) row++;
    int64_t at = row_start(row, n, total, 1), w = row_start(row + 1, n, total, 1) - at;
    int64_t from = row - w / 2 < n - w ? row - w / 2 : n - w, column = ((from > 0 ? from : 0) + k - at) % n;
    *diagonal = column == row && k - at < n ? w : 0; /* where more than there are columns: the first */
    return column;
}

static double rows_value(const struct rg_draw *d, int64_t k)
{
    int64_t w;
    rows_column(d, k, &w);
    return (double)w + (w ? 1 : -1) * rg__draw_unit(d->key, (uint64_t)k);
}

static double dominant(const struct rg_draw *d, int64_t k)
{
    int64_t n = d->ia > 0 ? d->ia : 1, row = k / n % n, column = k % n;
    double off = off_diagonal(d, row, column, n);
    return row == column ? (double)n - off : off;
}

/* The element that element i has the value of. Of every piece of 4096, 512, 64 and 8 elements each fourth is as its
 * first one is. */
static uint64_t plateau(uint64_t key, uint64_t i)
{
    for (int s = 12; s >= 3; s -= 3) {
        uint64_t first = i >> s << s;
        if (!(bits(~key + (uint64_t)s, first) >> 62)) return first;
    }
    return i;
}

void rg__draw_reals(const struct rg_draw *d, int64_t from, int n, double *out)
{
    if (d->kind == RG_INPUT_LCG) {
        lcg(d, from, n, out, NULL);
        return;
    }
    for (int k = 0; k < n; k++) {
        int64_t i = from + k;
        uint64_t u = (uint64_t)i;
        switch (d->kind) {
        case RG_INPUT_PLATEAUS:
            u = plateau(d->key, u); /* fall through */
        case RG_INPUT_UNIFORM:
            out[k] = d->a + (d->b - d->a) * rg__draw_unit(d->key, u);
            break;
        case RG_INPUT_NORMAL:
            out[k] = d->a + d->b * normal(d->key, u);
            break;
        case RG_INPUT_CONSTANT:
            out[k] = d->a;
            break;
        case RG_INPUT_AFFINE:
            out[k] = d->a + d->b * (double)i;
            break;
        case RG_INPUT_SORTED:
            out[k] = d->a + (d->b - d->a) * (((double)i + 0.25 + 0.5 * rg__draw_unit(d->key, u)) / (double)d->n);
            break;
        case RG_INPUT_PREFIX:
            out[k] = (double)prefix(d, i);
            break;
        case RG_INPUT_CHOICE:
            out[k] = d->choice[scale(bits(d->key, u), (uint64_t)d->n_choices)];
            break;
        case RG_INPUT_BAND:
            out[k] = band_value(d, i);
            break;
        case RG_INPUT_ROWS:
            out[k] = rows_value(d, i);
            break;
        case RG_INPUT_DOMINANT:
            out[k] = dominant(d, i);
            break;
        case RG_INPUT_PERMUTATION:
            out[k] = (double)permuted(d->key, (uint64_t)d->n, u);
            break;
        default:
            out[k] = styled(d, u);
            break;
        }
    }
}

/* One in four is the last of its list. */
static int64_t link_of(const struct rg_draw *d, int64_t i)
{
    const uint64_t u = 2 * (uint64_t)i;
    if (i + 1 < d->ia && rg__draw_unit(d->key, u) < 0.75)
        return i + 1 + (int64_t)scale(bits(d->key, u + 1), (uint64_t)(d->ia - 1 - i));
    return d->n_choices > 1 ? d->ib : i;
}

void rg__draw_ints(const struct rg_draw *d, int64_t from, int n, int64_t *out)
{
    if (d->kind == RG_INPUT_LCG) {
        lcg(d, from, n, NULL, out);
        return;
    }
    int64_t lo = d->kind == RG_INPUT_DEFAULT ? 0 : d->ia, hi = d->kind == RG_INPUT_DEFAULT ? 99 : d->ib;
    uint64_t span = hi > lo ? (uint64_t)hi - (uint64_t)lo + 1 : 1;
    for (int k = 0; k < n; k++) {
        int64_t i = from + k, row_length;
        uint64_t u = (uint64_t)i;
        switch (d->kind) {
        case RG_INPUT_NORMAL:
            out[k] = (int64_t)llrint(d->a + d->b * normal(d->key, u));
            break;
        case RG_INPUT_CONSTANT:
            out[k] = d->ia;
            break;
        case RG_INPUT_AFFINE:
            out[k] = (int64_t)((uint64_t)d->ia + (uint64_t)d->ib * u);
            break;
        case RG_INPUT_SORTED:
            out[k] = (int64_t)((uint64_t)lo +
                               (uint64_t)(((double)i + rg__draw_unit(d->key, u)) / (double)d->n * (double)span));
            if (out[k] > hi) out[k] = hi;
            break;
        case RG_INPUT_PREFIX:
            out[k] = prefix(d, i);
            break;
        case RG_INPUT_PERMUTATION:
            out[k] = (int64_t)permuted(d->key, (uint64_t)d->n, u);
            break;
        case RG_INPUT_BAND:
            out[k] = band_column(d, i);
            break;
        case RG_INPUT_ROWS:
            out[k] = rows_column(d, i, &row_length) + d->ic;
            break;
        case RG_INPUT_DOMINANT:
            out[k] = (int64_t)dominant(d, i);
            break;
        case RG_INPUT_LINKS:
            out[k] = link_of(d, i);
            break;
        case RG_INPUT_CHOICE:
            out[k] = d->whole[scale(bits(d->key, u), (uint64_t)d->n_choices)];
            break;
        case RG_INPUT_STRING:
            out[k] = past_string(d, i)
                         ? 0
                         : d->ib + (d->ic > d->ib ? (int64_t)scale(bits(d->key, u), (uint64_t)(d->ic - d->ib) + 1) : 0);
            break;
        case RG_INPUT_PLATEAUS:
            u = plateau(d->key, u); /* fall through */
        default: {
            uint64_t r = bits(d->key, u);
            out[k] = span ? (int64_t)((uint64_t)lo + scale(r, span)) : (int64_t)r;
            break;
        }
        }
    }
}
