// function: spmv
// function: gather
// function: local_index
// function: members
// function: said
// function: nodes_of
// function: in_sums
// function: one_based
// function: through_pointers
// function: emissions
/* integer arrays that lead into others get inputs that stay inside */
#pragma regraph size(n=40, nnz=200) extent(col: nnz) extent(val: nnz) extent(x: n)
void spmv(int n, int nnz, const int *row, const int *col, const double *val, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}
// explain(spmv): input prefix(nnz)
// explain(spmv): input uniform(0, n - 1)
#pragma regraph size(n=40, m=70) extent(table: m)
void gather(int n, int m, const long *idx, const float *table, float *out)
{
    for (int i = 0; i < n; i++) out[i] = table[idx[i]];
}
// explain(gather): input uniform(0, m - 1)
#pragma regraph size(n=40, m=70) extent(t: m)
void local_index(int n, int m, const unsigned *which, const float *t, float *out)
{
    for (int i = 0; i < n; i++) {
        unsigned u = which[i];
        out[i] = t[u] > 0 ? t[u] : 0;
    }
}
// explain(local_index): input uniform(0, m - 1)
/* members of structures that lead into arrays; where the user says something of one, that holds */
struct edge { int from, to; float w; };
#pragma regraph size(m=60, n=20) extent(x: n) extent(y: n)
void members(int m, int n, const struct edge *edges, const float *x, float *y)
{
    for (int i = 0; i < m; i++) {
        const struct edge *e = &edges[i];
        int to;
        to = e->to;
        y[to] += e->w * x[e->from];
    }
}
// explain(members): input .from uniform(0, n - 1)
// explain(members): input .to uniform(0, n - 1)
#pragma regraph size(m=60, n=20) extent(x: n) extent(y: n) input(edges.from: constant(3))
void said(int m, int n, const struct edge *edges, const float *x, float *y)
{
    for (int i = 0; i < m; i++) y[edges[i].to] += edges[i].w * x[edges[i].from];
}
// explain(said): input .from constant(3)
// explain(said): input .to uniform(0, n - 1)
struct element { struct { int n[3]; } at; double k; };
#pragma regraph size(m=60, n=20, l=10) extent(u: n) extent(v: l)
void nodes_of(int m, int n, int l, const struct element *e, const double *u, const double *v, double *r)
{
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (int k = 0; k < 3; k++) s += u[e[i].at.n[k]] + v[e[i].at.n[k]];
        r[i] = s * e[i].k;
    }
}
// explain(nodes_of): input .at.n uniform(0, min(n, l) - 1)
#pragma regraph size(n=40, vocab=30, dim=8) extent(table: vocab*dim) extent(out: n*dim) extent(scale: dim*5)
void in_sums(int n, int vocab, int dim, const int *token, const int *class, const float *table, const float *scale, float *out)
{
    for (int i = 0; i < n; i++) {
        const float *row = table + token[i] * dim;
        for (int d = 0; d < dim; d++) out[i * dim + d] = row[d] * scale[d * 5 + class[i]];
    }
}
// explain(in_sums): input uniform(0, vocab
// explain(in_sums): input uniform(0, 5 - 1)
#pragma regraph size(n=40, m=70) extent(x: m)
void one_based(int n, int m, const int *idx, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = x[idx[i] - 1] + x[idx[i] + 1];
}
// explain(one_based): input uniform(1, max(1, m - 2))
struct coo { int n; long nnz; struct edge *entries; };
#pragma regraph size(A.n=20, A.nnz=60) extent(x: A.n) extent(y: A.n)
void through_pointers(const struct coo *A, const float *x, float *y)
{
    for (long k = 0; k < A->nnz; k++) {
        const struct edge *e = A->entries + k;
        y[e->to] += e->w * x[e->from];
    }
}
// explain(through_pointers): input .to uniform(0, A_n - 1)
// explain(through_pointers): y[A_entries[k].to] += A_entries[k].w * x[A_entries[k].from]
/* members of several dimensions, and of structures */
struct w { double g; int n; };
typedef struct model { double init[4], emit[4][8]; struct w ws[5][3]; } model;
#pragma regraph size(n=300)
double emissions(const model *hm, const unsigned char *obs, const unsigned char *act, int n, double *ll)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < 4; j++) s += hm->emit[j][obs[i]] * hm->ws[act[i]][j % 3].g;
        ll[i] = s;
    }
    return ll[0];
}
// explain(emissions): input uniform(0, 8 - 1)
// explain(emissions): input uniform(0, 5 - 1)
