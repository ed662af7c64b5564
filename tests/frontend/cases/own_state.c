/* File-scope variables that the function sets before it reads them are its own, helpers included: they are no parameters. Those that carry
 * something in, or that others read behind the function, are what they were. */
#include <stdlib.h>
#include <string.h>
static int g_n, g_step, counter;
int visible; /* another file may read it */
static const float *g_x;
static float *g_buf, *g_next, *lazy;
static double weight, old;

static void park(int n, const float *x) { g_n = n; g_x = x + 1; g_step = 2; }
static float twice_at(int i) { return 2 * g_x[i]; }

// function: parked
// explain(parked): x                in     float[n + 1]
// not(parked): file-scope
#pragma regraph size(n=40) require(n >= 3)
void parked(int n, const float *x, float *y)
{
    park(n, x);
    for (int i = 0; i < g_n; i++) y[i] = twice_at(i) + g_step;
}

static int take(int n)
{
    if (n < 1) return -1;
    g_n = n;
    if (g_buf == NULL) g_buf = malloc(n * sizeof *g_buf);
    if (!g_buf) return -2;
    g_next = (float *)calloc(g_n, sizeof(float));
    return 0;
}
static void give(void)
{
    if (g_buf) free(g_buf);
    free(g_next);
    g_buf = g_next = NULL;
}

// function: allocated
// not(allocated): file-scope
#pragma regraph size(n=40) require(n >= 3)
int allocated(int n, const float *x, float *y)
{
    if (take(n) != 0) return 1;
    memcpy(g_buf, x, n * sizeof(float));
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < g_n; i++) g_next[i] = g_buf[i - 1] + 1;
        float *s = g_buf;
        g_buf = g_next;
        g_next = s;
    }
    for (int i = 0; i < n; i++) y[i] = g_buf[i];
    give();
    return 0;
}

// function: twice_set
// not(twice_set): file-scope
#pragma regraph size(n=40) require(n >= 3)
void twice_set(int n, const float *x, float *y)
{
    park(n, x);
    for (int i = 0; i < g_n; i++) y[i] = g_x[i];
    park(n - 1, x + 1);
    for (int i = 0; i < g_n; i++) y[i] += g_x[i];
}

// function: counts
// explain(counts): counter          inout
#pragma regraph size(n=40) require(n >= 3)
void counts(int n, float *y)
{
    counter += n;
    for (int i = 0; i < n; i++) y[i] = counter;
}

// function: leaves
// explain(leaves): visible          out    int[1] file-scope
#pragma regraph size(n=40) require(n >= 3)
int leaves(int n, const int *y)
{
    visible = 0;
    for (int i = 0; i < n; i++) visible += y[i] > 50;
    if (visible > 3) return 1;
    visible = -visible;
    return 0;
}

static void some(int n) { if (n > 20) weight = 3; }
// function: sometimes
// explain(sometimes): weight           inout
#pragma regraph size(n=40) require(n >= 3)
void sometimes(int n, double *y)
{
    some(n);
    for (int i = 0; i < n; i++) y[i] = weight;
}

// function: seen
// explain(seen): old              out    double[1] file-scope
#pragma regraph size(n=40) require(n >= 3)
void seen(int n, double *y)
{
    old = n;
    for (int i = 0; i < n; i++) y[i] = old * i;
}
double ask(void) { return old; }

struct box { int n; double h; double *u; const double *f; };
static struct box box;
static void fill(struct box *b, int n, const double *f)
{
    b->n = n;
    b->h = 0.5;
    b->u = malloc(sizeof(double) * b->n);
    b->f = f;
}
static void sweep(const struct box *b)
{
    for (int i = 0; i < b->n; i++) b->u[i] = b->h * b->f[i];
}

// function: boxed
// not(boxed): file-scope
#pragma regraph size(n=40) require(n >= 3)
void boxed(int n, const double *f, double *out)
{
    fill(&box, n, f);
    sweep(&box);
    for (int i = 0; i < n; i++) out[i] = box.u[i];
    free(box.u);
}

static double **rows;
static void rows_new(int n)
{
    rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) rows[i] = calloc(n, sizeof **rows);
}

// function: tabled
// not(tabled): file-scope
#pragma regraph size(n=40) require(n >= 3)
void tabled(int n, double *out)
{
    rows_new(n);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) rows[i][j] = i * 10 + j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i * n + j] = rows[j][i];
    for (int i = 0; i < n; i++) free(rows[i]);
    free(rows);
}

/* what is null at the first call alone is kept by the next */
// function: kept
// explain(kept): lazy
#pragma regraph extent(lazy: n)
#pragma regraph size(n=40) require(n >= 3)
void kept(int n, float *y)
{
    for (int i = 0; i < n; i++) y[i] = lazy[i];
}
