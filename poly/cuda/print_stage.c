/* Tiles in shared memory, in print: what of an array a block copies, element by element or 16 bytes at a time, and
 * zeros for what lies beyond it. */
#include "poly/cuda/print.h"
#include <string.h>

void rg__poly_name_tiles(struct poly_print *pr)
{
    const struct poly_tiling *t = &pr->tiling;
    for (int g = 0; g < t->n_groups; g++) {
        const char *array = pr->t->arrays[t->groups[g].array].name;
        int of_array = 0, before = 0;
        for (int h = 0; h < t->n_groups; h++) {
            of_array += t->groups[h].array == t->groups[g].array;
            before += h < g && t->groups[h].array == t->groups[g].array;
        }
        pr->tile_name[g] =
            of_array > 1 ? rg__poly_fresh(pr, "%.60s_s%d", array, before) : rg__poly_fresh(pr, "%.60s_s", array);
    }
}

/* Unsigned arithmetic has no values below zero to compare with. */
static const char *signed_base_name(struct poly_print *pr, int var)
{
    const char *name = rg__poly_base_name(pr, var);
    return rg__poly_is_unsigned(pr, var) ? rg__poly_printf(pr, "(long long)%s", name) : name;
}

/* First element of the tile along array dimension d. */
static const char *base_text(struct poly_print *pr, const struct poly_group *g, int d, bool *may_be_negative)
{
    struct poly_linear l = {.ok = true, .k = g->terms[d].k};
    *may_be_negative = g->terms[d].k < 0;
    for (int i = 0; i < g->terms[d].n; i++) {
        int var = g->terms[d].term[i].var, dim = rg__poly_dim_of_var(pr, var);
        int64_t c = g->terms[d].term[i].c, span = 1;
        if (dim >= 0)
            span = pr->tiling.threads[pr->k->axis[dim]] * pr->tiling.coarse[pr->k->axis[dim]];
        else if (g->strip >= 0 && pr->s->loops[g->strip].var == var)
            span = pr->v.tile;
        else {
            /* a short loop below the staging: its range belongs to the tile */
            bool below = false;
            for (int L = 0; L < pr->s->n_loops; L++) {
                const struct poly_loop *lp = &pr->s->loops[L];
                if (lp->var != var || rg__poly_fixed_for(&pr->tiling, g, L) || rg__poly_loop_is_dim(pr, L)) continue;
                bool used = false;
                for (int a = 0; a < pr->s->n_accesses; a++)
                    used = used || (pr->s->accesses[a].array == g->array &&
                                    rg__poly_loop_inside(pr->s, pr->s->stmts[pr->s->accesses[a].stmt].loop, L));
                if (!used || !lp->constant) continue;
                below = true;
                int64_t lo = lp->lower.k, hi = lp->lower.k + lp->trip - 1;
                l.k += c * (c > 0 ? lo : hi);
                break;
            }
            if (below) {
                *may_be_negative = *may_be_negative || l.k < 0;
                continue;
            }
        }
        if (c < 0) {
            l.k += c * (span - 1);
            *may_be_negative = true;
        }
        l.term[l.n].var = var;
        l.term[l.n++].c = c;
    }
    *may_be_negative = *may_be_negative || l.k < 0;
    return rg__poly_linear_text(pr, &l, *may_be_negative ? signed_base_name : rg__poly_base_name);
}

const char *rg__poly_base_name(struct poly_print *pr, int var)
{
    if (rg__poly_dim_of_var(pr, var) >= 0) return rg__poly_origin(pr, var);
    for (int g = 0; g < pr->tiling.n_groups; g++)
        if (pr->tiling.groups[g].strip >= 0 && pr->s->loops[pr->tiling.groups[g].strip].var == var)
            return rg__poly_origin(pr, var);
    return rg__poly_var_name(pr, var);
}

/* Place in the tile along array dimension d of n. */
static const char *coordinate(struct poly_print *pr, int d, int n)
{
    static const char *const last[] = {"col", "row", "plane"};
    return n - 1 - d < 3 ? rg__poly_fresh(pr, "%s", last[n - 1 - d]) : rg__poly_fresh(pr, "dim%d_", d);
}

static void copy_element(struct poly_print *pr, const struct poly_group *g, const char *const *base, bool guard,
                         const bool *negative)
{
    struct rg_buf to = RG_BUF_INIT, from = RG_BUF_INIT, ok = RG_BUF_INIT;
    for (int sd = 0; sd < g->n_dims; sd++) rg_buf_printf(&to, "[%s]", coordinate(pr, g->order[sd], g->n_dims));
    for (int d = 0; d < g->n_dims; d++) {
        const char *at = strcmp(base[d], "0") == 0
                             ? coordinate(pr, d, g->n_dims)
                             : rg__poly_printf(pr, "%s + %s", base[d], coordinate(pr, d, g->n_dims));
        if (g->n_dims == 1)
            rg_buf_str(&from, at);
        else if (d == 0)
            rg_buf_printf(&from, strchr(at, ' ') ? "(long long)(%s)" : "(long long)%s", at);
        else {
            struct rg_buf t = RG_BUF_INIT;
            rg_buf_printf(&t, d > 1 ? "(%s) * %s + %s" : "%s * %s + %s", from.data, rg__poly_extent(pr, g->array, d),
                          at);
            rg_buf_reset(&from);
            rg_buf_str(&from, t.data);
            rg_buf_release(&t);
        }
        if (negative[d]) rg_buf_printf(&ok, "%s%s >= 0", ok.len ? " && " : "", at);
        rg_buf_printf(&ok, "%s%s < %s", ok.len ? " && " : "", at, rg__poly_extent(pr, g->array, d));
    }
    const char *value = rg__poly_printf(pr, "%s[%s]", rg__poly_array_name(pr, g->array), from.data);
    bool zero = guard && rg__poly_has_zero(pr, g->array);
    if (zero) value = rg__poly_printf(pr, "%s ? %s : (%s)0", ok.data, value, rg__poly_elem_type(pr, g->array));
    rg__poly_line(pr, "%s%s%s = %s;", guard && !zero ? rg__poly_printf(pr, "if (%s) ", ok.data) : "",
                  pr->tile_name[g->id], to.data, value);
    pr->array_used[g->array] = true;
    rg_buf_release(&to);
    rg_buf_release(&from);
    rg_buf_release(&ok);
}

/* Places of the e-th element, or of the e-th run of `width` of them. */
static void coordinates(struct poly_print *pr, const struct poly_group *g, const char *e, int64_t width)
{
    struct rg_buf b = RG_BUF_INIT;
    int64_t below = 1;
    for (int d = g->n_dims - 1; d >= 0; d--) {
        long long ext = (long long)(d == g->n_dims - 1 ? g->extent[d] / width : g->extent[d]);
        const char *by = d == g->n_dims - 1 && width > 1 ? rg__poly_printf(pr, " * %lld", (long long)width) : "";
        const char *q = below == 1 ? e : rg__poly_printf(pr, "%s / %lld", e, (long long)below);
        if (d == 0)
            rg_buf_printf(&b, "%s%s = %s%s", b.len ? ", " : "", coordinate(pr, d, g->n_dims), q, by);
        else
            rg_buf_printf(&b, "%s%s = %s %% %lld%s", b.len ? ", " : "", coordinate(pr, d, g->n_dims), q, ext, by);
        below *= ext;
    }
    rg__poly_line(pr, "const int %s;", b.data);
    rg_buf_release(&b);
}

/* The variable's value where the tile begins is lo, lo + step, ... as far as hi; step 0: lo alone. */
struct origins {
    int64_t lo, hi, step;
};

static bool origins_of(struct poly_print *pr, const struct poly_group *g, int var, struct origins *o)
{
    int dim = rg__poly_dim_of_var(pr, var), loop = dim >= 0 ? pr->k->dims[dim] : g->strip;
    if (loop < 0 || (dim < 0 && pr->s->loops[loop].var != var)) return false;
    const struct poly_loop *l = &pr->s->loops[loop];
    int64_t n, span = dim >= 0 ? rg__poly_per_block(&pr->tiling, pr->k->axis[dim]) : pr->v.tile;
    if (!l->lower.ok || l->lower.n || l->step != 1) return false;
    *o = (struct origins){l->lower.k, INT64_MAX, span};
    if (rg__poly_known_count(pr, loop, &n) && n > 0 && n % span == 0 && (dim < 0 || rg__poly_whole_blocks(pr, dim)))
        o->hi = l->lower.k + n - span;
    return true;
}

/* Does the tile begin at a multiple of the width along its last dimension, whichever block and strip it is? */
static bool starts_aligned(struct poly_print *pr, const struct poly_group *g, int64_t width)
{
    const struct poly_linear *t = &g->terms[g->n_dims - 1];
    bool ok = t->k % width == 0;
    for (int i = 0; i < t->n && ok; i++) {
        struct origins o;
        ok = t->term[i].c > 0 && origins_of(pr, g, t->term[i].var, &o) && o.lo * t->term[i].c % width == 0 &&
             o.step * t->term[i].c % width == 0;
    }
    return ok;
}

/* Does the tile lie inside the array along dimension d, whichever block and strip it is? */
static bool always_inside(struct poly_print *pr, const struct poly_group *g, int d)
{
    int64_t lo = g->terms[d].k, hi = lo, n;
    for (int i = 0; i < g->terms[d].n; i++) {
        struct origins o;
        if (g->terms[d].term[i].c != 1 || !origins_of(pr, g, g->terms[d].term[i].var, &o) || o.hi == INT64_MAX)
            return false;
        lo += o.lo;
        hi += o.hi;
    }
    return lo >= 0 && rg__poly_known_value(pr->s->problem, pr->t->arrays[g->array].dims[d], &n) &&
           hi + g->extent[d] <= n;
}

/* ---- vectorize: rows of a tile 16 bytes at a time ---- */

static void copy_vector(struct poly_print *pr, const struct poly_group *g, const char *const *base, int64_t width)
{
    static const char *const part[] = {"x", "y", "z", "w"};
    const char *type = rg__poly_printf(pr, "%s%lld", rg__poly_elem_type(pr, g->array), (long long)width), *from = "";
    int last = g->n_dims - 1;
    for (int d = 0; d < g->n_dims; d++) {
        const char *at = strcmp(base[d], "0") == 0
                             ? coordinate(pr, d, g->n_dims)
                             : rg__poly_printf(pr, "%s + %s", base[d], coordinate(pr, d, g->n_dims));
        from = d == 0 ? g->n_dims == 1 ? at
                                       : rg__poly_printf(pr, strchr(at, ' ') ? "(long long)(%s)" : "(long long)%s", at)
                      : rg__poly_printf(pr, d > 1 ? "(%s) * %s + %s" : "%s * %s + %s", from,
                                        rg__poly_extent(pr, g->array, d), at);
    }
    const char *value = rg__poly_fresh(pr, "v");
    rg__poly_line(pr, "const %s %s = *reinterpret_cast<const %s *>(&%s[%s]);", type, value, type,
                  rg__poly_array_name(pr, g->array), from);
    bool along = g->order[last] == last && (g->extent[last] + g->pad) % width == 0; /* rows stay rows */
    for (int i = 0; i < (along ? 1 : width); i++) {
        struct rg_buf to = RG_BUF_INIT;
        for (int sd = 0; sd < g->n_dims; sd++)
            rg_buf_printf(&to, g->order[sd] == last && i ? "[%s + %d]" : "[%s]",
                          coordinate(pr, g->order[sd], g->n_dims), i);
        if (along)
            rg__poly_line(pr, "*reinterpret_cast<%s *>(&%s%s) = %s;", type, pr->tile_name[g->id], to.data, value);
        else
            rg__poly_line(pr, "%s%s = %s.%s;", pr->tile_name[g->id], to.data, value, part[i]);
        rg_buf_release(&to);
    }
    pr->array_used[g->array] = true;
}

/* Every thread's share of a tile that lies inside the array. */
static void copy_whole(struct poly_print *pr, const struct poly_group *g, const char *const *base, const bool *negative,
                       int64_t total, int64_t width)
{
    const char *tid = rg__poly_fresh(pr, "tid"), *e = rg__poly_fresh(pr, "e"), *q = rg__poly_fresh(pr, "q");
    int64_t threads = pr->tiling.threads[0] * pr->tiling.threads[1] * pr->tiling.threads[2],
            rounds = (total + threads - 1) / threads;
    int braces = 0;
    if (rounds > 1) {
        rg__poly_line(pr, "#pragma unroll");
        rg__poly_open_brace(pr, "for (int %s = 0; %s < %lld; %s++)", q, q, (long long)rounds, q);
        braces++;
        rg__poly_line(pr, "const int %s = %s + %s * %lld;", e, tid, q, (long long)threads);
        if (total % threads) rg__poly_line(pr, "if (%s >= %lld) break;", e, (long long)total);
    } else if (total % threads) {
        rg__poly_open_brace(pr, "if (%s < %lld)", tid, (long long)total);
        braces++;
    }
    coordinates(pr, g, rounds > 1 ? e : tid, width);
    if (width > 1)
        copy_vector(pr, g, base, width);
    else
        copy_element(pr, g, base, false, negative);
    while (braces--) rg__poly_close_brace(pr);
}

void rg__poly_copy_in(struct poly_print *pr, int group)
{
    const struct poly_group *g = &pr->tiling.groups[group];
    const char *base[POLY_MAX_DIMS];
    bool negative[POLY_MAX_DIMS];
    int64_t total = 1, threads = pr->tiling.threads[0] * pr->tiling.threads[1] * pr->tiling.threads[2];
    struct rg_buf in = RG_BUF_INIT;
    for (int d = 0; d < g->n_dims; d++) {
        base[d] = base_text(pr, g, d, &negative[d]);
        total *= g->extent[d];
        int64_t n;
        bool all = strcmp(base[d], "0") == 0 &&
                   rg__poly_known_value(pr->s->problem, pr->t->arrays[g->array].dims[d], &n) && g->extent[d] <= n;
        if (all || always_inside(pr, g, d)) continue;
        if (negative[d]) rg_buf_printf(&in, "%s%s >= 0", in.len ? " && " : "", base[d]);
        if (strcmp(base[d], "0") == 0)
            rg_buf_printf(&in, "%s%lld <= %s", in.len ? " && " : "", (long long)g->extent[d],
                          rg__poly_extent(pr, g->array, d));
        else
            rg_buf_printf(&in, "%s%s + %lld <= %s", in.len ? " && " : "", base[d], (long long)g->extent[d],
                          rg__poly_extent(pr, g->array, d));
    }
    int64_t width = rg__poly_tile_width(&pr->tiling, g);
    const char *tid = rg__poly_fresh(pr, "tid"), *e = rg__poly_fresh(pr, "e"),
               *name = rg__poly_array_name(pr, g->array);
    rg__poly_line(pr, "// tile.shared@%s: the part of %s that this block reads%s", name, name,
                  g->strip >= 0 ? " in these \1TILE iterations" : "");
    if (in.len) rg__poly_open_brace(pr, "if (%s)", in.data);
    if (width > 1) {
        int last = g->n_dims - 1;
        int64_t n;
        bool rows = g->n_dims > 1 &&
                    !(rg__poly_known_value(pr->s->problem, pr->t->arrays[g->array].dims[last], &n) && n % width == 0);
        const char *row =
            rows ? rg__poly_printf(pr, " && %s %% %lld == 0", rg__poly_extent(pr, g->array, last), (long long)width)
                 : "";
        const char *start = starts_aligned(pr, g, width)
                                ? ""
                                : rg__poly_printf(pr, " && (%s) %% %lld == 0", base[last], (long long)width);
        rg__poly_line(pr, "// vectorize: %lld elements at a time where rows are aligned", (long long)width);
        rg__poly_open_brace(pr, "if (reinterpret_cast<unsigned long long>(%s) %% %lld == 0%s%s)", name,
                            (long long)(width * (int64_t)rg_scalar_bytes(pr->t->arrays[g->array].elem)), row, start);
        copy_whole(pr, g, base, negative, total / width, width);
        rg_buf_indent(&pr->out, pr->indent - 1);
        rg_buf_str(&pr->out, "} else {\n");
        copy_whole(pr, g, base, negative, total, 1);
        rg__poly_close_brace(pr);
    } else {
        copy_whole(pr, g, base, negative, total, 1);
    }
    if (!in.len) { /* no tile reaches beyond the array */
        rg_buf_release(&in);
        return;
    }
    rg_buf_indent(&pr->out, pr->indent - 1);
    rg_buf_str(&pr->out, "} else {\n");
    rg__poly_open_brace(pr, "for (int %s = %s; %s < %lld; %s += %lld)", e, tid, e, (long long)total, e,
                        (long long)threads);
    coordinates(pr, g, e, 1);
    copy_element(pr, g, base, true, negative);
    rg__poly_close_brace(pr);
    rg__poly_close_brace(pr);
    rg_buf_release(&in);
}
