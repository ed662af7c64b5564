// as many edges, pairs, corners as 8 for each that they lead into; their lengths are not negative
// function: relax
// function: springs
// function: both
// function: locals
// function: gather
// function: stated
// function: rows
// explain(relax): m=4000, n=500
// explain(relax): .weight uniform(0, 1)
// explain(springs): n=125000, m=1000000
// explain(both): n=125000, m=1000000
// explain(locals): n=125000, m=1000000
// explain(gather): n=1000000, m=1000000
// explain(stated): n=1000, m=1000  timed
// explain(rows): n=1000000, ptr.end=8000000
#include <math.h>
typedef struct { int from, to; double weight; } edge;
#pragma regraph extent(d: n)
int relax(const edge *edges, int m, int n, double *d)
{
    for (int v = 0; v < n; v++) d[v] = INFINITY;
    d[0] = 0;
    for (int pass = 0; pass < n - 1; pass++) {
        int changed = 0;
        for (int e = 0; e < m; e++) {
            double l = d[edges[e].from] + edges[e].weight;
            if (l < d[edges[e].to]) d[edges[e].to] = l, changed = 1;
        }
        if (!changed) return 0;
    }
    return 1;
}
#pragma regraph extent(x: n) extent(f: n)
void springs(int n, int m, const int *pair, const double *x, double *f)
{
    for (int i = 0; i < n; i++) f[i] = 0;
    for (int e = 0; e < m; e++) {
        double d = x[pair[2 * e]] - x[pair[2 * e + 1]];
        f[pair[2 * e]] -= d;
        f[pair[2 * e + 1]] += d;
    }
}
#pragma regraph extent(x: n)
void both(int n, int m, const int *u, const int *v, const float *x, float *y)
{
    for (int e = 0; e < m; e++) y[e] = x[u[e]] * x[v[e]];
    for (int i = 0; i < n; i++) y[i % m] += 1;
}
#pragma regraph extent(degree: n)
void locals(int n, int m, const edge *edges, int *degree)
{
    for (int i = 0; i < n; i++) degree[i] = 0;
    for (int e = 0; e < m; e++) {
        const int a = edges[e].from, b = edges[e].to;
        if (a == b) continue;
        degree[a]++;
        degree[b]++;
    }
}
/* one place for each element is no pair */
#pragma regraph extent(x: n)
void gather(int n, int m, const int *at, const float *x, float *y)
{
    for (int e = 0; e < m; e++) y[e] = x[at[e]] + x[at[e]] * 2;
    for (int i = 0; i < n; i++) y[i % m] += 1;
}
#pragma regraph size(n=1000, m=1000) extent(x: n)
void stated(int n, int m, const int *u, const int *v, const float *x, float *y)
{
    for (int e = 0; e < m; e++) y[e] = x[u[e]] * x[v[e]];
}
void rows(int n, const int *ptr, const int *col, const double *val, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}
