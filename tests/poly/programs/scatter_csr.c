#pragma regraph size(n=50000, m=40000, nnz=1000000)
/* transposed CSR product: scatter with data-dependent inner bounds */
#pragma regraph extent(row: n+1) extent(col: nnz) extent(a: nnz) extent(x: n) extent(y: m)
#pragma regraph input(row: prefix(nnz)) input(col: uniform(0, m - 1))
void spmvt(int n, int m, int nnz, const int *row, const int *col, const float *a, const float *x, float *y)
{
    for (int j = 0; j < m; j++) y[j] = 0.0f;
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            y[col[k]] += a[k] * x[i];
}
