/* What only the callers in the file say: how long arrays are, which sizes there are, what follows from what. Where main shows
 * a few alone, larger ones in the same proportions are timed. */
#include <stdio.h>
#include <stdlib.h>
#define SIDE 300
struct sparse { int n, nnz; int *row, *col; double *val; };
static int table[SIDE * SIDE];
static float **image;
static int *look, width, height;

static double *vec(int n)
{
    double *v = malloc(n * sizeof(double));
    if (!v) exit(1);
    return v;
}

static void make(struct sparse *m, int n, int per)
{
    m->n = n;
    m->nnz = n * per;
    m->row = malloc((n + 1) * sizeof(int));
    m->col = malloc(m->nnz * sizeof(int));
    m->val = malloc((size_t)m->nnz * sizeof(double));
    for (int i = 0; i <= n; i++) m->row[i] = i * per;
    for (int k = 0; k < m->nnz; k++) {
        m->col[k] = (7 * k) % n;
        m->val[k] = 1.0 / (1 + k % 5);
    }
}

// function: apply
// explain(apply): double[a.nnz] file-scope variable or member  (extent as make allocates it)
// explain(apply): double[a.n]  (extent as main allocates it)
// explain(apply): uniform(0, a_n - 1)
// explain(apply): a.n=2560000, a.nnz=17920000: 128 times as much as the file's own call
#pragma regraph init(none)
void apply(const struct sparse *a, const double *x, double *y)
{
    for (int i = 0; i < a->n; i++) {
        double s = 0;
        for (int k = a->row[i]; k < a->row[i + 1]; k++) s += a->val[k] * x[a->col[k]];
        y[i] = s;
    }
}

// function: scatter
// explain(scatter): double[cells]  (extent as main allocates it)
// explain(scatter): entries=30720000
// explain(scatter): cells=5120000
void scatter(int cells, int entries, const int *at, const double *x, double *out)
{
    for (int k = 0; k < entries; k++) out[at[k]] += x[k];
}

/* SIDE stands in the function itself: no parameter that happens to be as large is meant */
// function: pick
// explain(pick): int[300*300]  (extent as main allocates it)
// explain(pick): int[m]  (extent read off the accesses)
#pragma regraph size(m=300)
void pick(const int *t, int *d, const int *s, int m)
{
    for (int k = 0; k < m; k++) d[k] = t[s[k] * SIDE + s[(k + 1) % m]];
}

// function: remap
// explain(remap): float[height][width] file-scope variable or member  (extent as prepare allocates it)
// explain(remap): int[width*height] file-scope variable or member  (extent as prepare allocates it)
// explain(remap): height=6400
void remap(float *out)
{
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) out[j * width + i] = image[j][look[j * width + i]];
}

static void prepare(void)
{
    width = 320;
    height = 200;
    image = malloc(height * sizeof(float *));
    for (int i = 0; i < height; i++) image[i] = calloc(width, sizeof(float));
    look = malloc(width * height * sizeof(int));
    for (int i = 0; i < width * height; i++) look[i] = i % width;
}

int main(int argc, char **argv)
{
    struct sparse a;
    int n = argc > 1 ? atoi(argv[1]) : 20000, cells = 5000, m = SIDE;
    make(&a, n, 7);
    double *x = vec(n), *y = vec(n);
    for (int i = 0; i < n; i++) x[i] = i;
    apply(&a, x, y);
    double *where = (double *)calloc(6 * cells, 8), *sums = calloc(cells, sizeof *sums);
    int *at = malloc(sizeof(int) * 6 * cells);
    for (int k = 0; k < 6 * cells; k++) at[k] = k % cells;
    scatter(cells, 6 * cells, at, where, sums);
    int chosen[SIDE], found[SIDE];
    for (int i = 0; i < m; i++) chosen[i] = (i * 7) % m;
    pick(table, found, chosen, m);
    prepare();
    float *out = malloc(width * height * sizeof *out);
    remap(out);
    printf("%g %g %d %g\n", y[0], sums[0], found[0], out[0]);
    return 0;
}
