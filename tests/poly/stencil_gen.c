/* Random iterated stencils as C files: `stencil_gen SEED`. One to three dimensions, sweeps over one to four arrays that
 * read others at random distances (radius 2, one-sided too), copies back, staggered fields, boundary rows, sources,
 * coefficient arrays, scalars shared by a point's statements, loops that run down, writes shifted against the loop. The
 * last line is a choice of tunables that a tile may have. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static int between(int lo, int hi) { return lo + below(hi - lo + 1); }
static bool often(int percent) { return below(100) < percent; }

enum { MAX_TERMS = 7 };
static int dims, n_arrays, kind;
static const char *const extent[] = {"n", "m", "q"}, *const iter[] = {"i", "j", "k"};
static int term_array[MAX_TERMS], term_by[MAX_TERMS][3];

static void element(int array, const int *by, const int *shift)
{
    printf("%c", 'A' + array);
    for (int d = 0; d < dims; d++) {
        int k = by[d] + shift[d];
        if (k)
            printf("[%s %c %d]", iter[d], k < 0 ? '-' : '+', abs(k));
        else
            printf("[%s]", iter[d]);
    }
}

static int choose_terms(int written)
{
    int n = between(1, MAX_TERMS), radius = often(30) ? 2 : 1;
    bool one_sided = often(20), cross = often(60);
    for (int t = 0; t < n; t++) {
        term_array[t] = n_arrays == 1 ? written : below(n_arrays);
        int axis = below(dims);
        for (int d = 0; d < dims; d++) {
            term_by[t][d] = cross && d != axis ? 0 : one_sided ? -below(radius + 1) : between(-radius, radius);
            if (term_array[t] == written)
                term_by[t][d] = 0; /* the sweep carries nothing */
        }
    }
    return n;
}

static void open_loops(int n, const int *shift, int wider)
{
    for (int d = 0; d < dims; d++) {
        int lo = 0, hi = 0;
        for (int t = 0; t < n; t++) {
            lo = -term_by[t][d] > lo ? -term_by[t][d] : lo;
            hi = term_by[t][d] > hi ? term_by[t][d] : hi;
        }
        lo += wider;
        printf("%*s", 8 + 4 * d, "");
        if (often(15))
            printf("for (int %s = %s - %d; %s >= %d; %s--)\n", iter[d], extent[d], hi + 1 + shift[d], iter[d], lo - shift[d],
                   iter[d]);
        else
            printf("for (int %s = %d; %s < %s - %d; %s++)\n", iter[d], lo - shift[d], iter[d], extent[d], hi + shift[d],
                   iter[d]);
    }
}

static void sum(int n, const int *shift, const char *type)
{
    for (int t = 0; t < n; t++) {
        printf("%s(%s)0.%02d * ", t ? often(15) ? " - " : " + " : "", type, between(60 / n, 99 / n)); /* adds up to about 1 */
        element(term_array[t], term_by[t], shift);
    }
}

static void sweep(int written, const char *type, bool weights)
{
    int shift[3] = {0}, zero[3] = {0}, n = choose_terms(written);
    if (often(20))
        shift[below(dims)] = between(-1, 1);
    open_loops(n, shift, often(20));
    int pad = 8 + 4 * dims;
    if (often(20)) {
        printf("%*s{\n%*s%s u = ", pad - 4, "", pad, "", type);
        sum(n, shift, type);
        printf(";\n%*s", pad, "");
        element(written, zero, shift);
        printf(" = (%s)0.9 * u + (%s)0.1 / (u * u + (%s)1.0);\n%*s}\n", type, type, type, pad - 4, "");
        return;
    }
    printf("%*s", pad, "");
    element(written, zero, shift);
    printf(often(15) ? " -= (%s)0.5 * (" : " = (%s)0.2 + (%s)0.9 * (", type, type);
    sum(n, shift, type);
    printf(")");
    if (weights && often(60)) {
        printf(" * (%s)0.5 * W", type);
        for (int d = 0; d < dims; d++) {
            if (shift[d])
                printf("[%s %c %d]", iter[d], shift[d] < 0 ? '-' : '+', abs(shift[d]));
            else
                printf("[%s]", iter[d]);
        }
    }
    if (often(20))
        printf(" + (%s)0.01 * (t %% 3)", type);
    if (often(20))
        printf(" + (%s)0.001 * %s", type, iter[below(dims)]);
    printf(";\n");
}

static void copy(int to, int from)
{
    int zero[3] = {0};
    int n = 0;
    open_loops(n, zero, often(30));
    printf("%*s", 8 + 4 * dims, "");
    element(to, zero, zero);
    printf(" = ");
    element(from, zero, zero);
    printf(";\n");
}

/* The first or last row: from the next one, or from a source. */
static void boundary(int array, const char *type, bool source)
{
    int axis = below(dims);
    bool last = often(50), given = source && often(50);
    for (int d = 0; d < dims; d++)
        if (d != axis)
            printf("        for (int %s = 0; %s < %s; %s++)\n", iter[d], iter[d], extent[d], iter[d]);
    printf("            ");
    for (int side = 0; side < 2; side++) {
        if (side && given) {
            printf("S[t];\n");
            return;
        }
        printf("%c", 'A' + array);
        for (int d = 0; d < dims; d++) {
            if (d != axis)
                printf("[%s]", iter[d]);
            else if (last)
                printf("[%s - %d]", extent[d], side + 1);
            else
                printf("[%d]", side);
        }
        printf(side ? " * (%s)0.9;\n" : " = ", type);
    }
}

int main(int argc, char **argv)
{
    int seed = argc > 1 ? atoi(argv[1]) : 1;
    state = (uint64_t)seed * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < 8; i++)
        below(2);
    dims = often(20) ? 1 : often(70) ? 2 : 3;
    n_arrays = often(8) ? 1 : between(2, 4);
    kind = below(3);
    const char *type = often(60) ? "float" : "double";
    bool weights = often(30), source = often(30);
    static const int most[] = {0, 400, 70, 24};
    printf("#pragma regraph");
    for (int s = 0; s < 4; s++) {
        printf(" size(T=%d", s == 3 ? 1 : between(2, 19));
        for (int d = 0; d < dims; d++)
            printf(", %s=%d", extent[d], s == 2 ? between(5, 8) : between(9, most[dims]));
        printf(")");
    }
    printf("\nvoid stencil(int T");
    for (int d = 0; d < dims; d++)
        printf(", int %s", extent[d]);
    for (int a = -1; a < n_arrays; a++) {
        if (a < 0 && !weights)
            continue;
        printf(a < 0 ? ", const %s W" : ", %s ", type);
        if (a >= 0)
            printf("%c", 'A' + a);
        for (int d = 0; d < dims; d++)
            printf("[%s]", extent[d]);
    }
    if (source)
        printf(", const %s S[T]", type);
    printf(")\n{\n    for (int t = 0; t < T; t++) {\n");
    int sweeps = kind == 0 ? n_arrays : between(1, 4);
    for (int s = 0; s < sweeps; s++) {
        if (often(12))
            boundary(below(n_arrays), type, source);
        sweep(kind == 0 ? (s + 1) % n_arrays : below(n_arrays), type, weights);
    }
    if (kind == 1 && n_arrays > 1) {
        int from = below(n_arrays), to = (from + 1 + below(n_arrays - 1)) % n_arrays;
        copy(to, from);
    }
    printf("    }\n}\n");
    static const int bx[] = {8, 16, 32}, r[] = {1, 2, 3, 4};
    int x = dims == 1 ? 32 << below(3) : bx[below(3)], y = dims > 1 ? 1 << between(2, 4) : 1, z = dims > 2 ? 1 << between(0, 2) : 1;
    while (x * y * z > 512)
        y > z ? (y /= 2) : (z /= 2);
    while (x * y * z < 32)
        y *= 2;
    printf("// tile: {BX=%d", x);
    if (dims > 1)
        printf(",BY=%d", y);
    if (dims > 2)
        printf(",BZ=%d", z);
    printf(",RX=%d", r[below(4)]);
    if (dims > 1)
        printf(",RY=%d", r[below(4)]);
    if (dims > 2)
        printf(",RZ=%d", r[below(4)]);
    printf(",STEPS=%d}\n", between(1, 5));
    return 0;
}
