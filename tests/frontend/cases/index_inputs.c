// function: spmv
// function: gather
// function: local_index
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
