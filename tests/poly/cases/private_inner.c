// Points with loops inside: sums held in registers, a store under a condition, a loop that data end. want: parallel
// chain: parallelize,histogram.private@h,unroll,launch.bounds
// shows: float sum_r = sum\[i\]
#pragma regraph extent(row: n+1) extent(col: nnz) extent(a: nnz) extent(h: m) extent(sum: n) extent(mark: n)
#pragma regraph input(row: prefix(nnz)) input(col: uniform(0, m - 1)) size(n=5000,m=100,nnz=90000) size(n=13,m=7,nnz=40)
void private_inner(int n, int m, int nnz, const int *row, const int *col, const float *a, float *h, float *sum,
                   int *mark)
{
    for (int i = 0; i < n; i++) {
        for (int t = 0; t < 5; t++) sum[i] += a[(i + t) % nnz];
        if (sum[i] > 1.0f) mark[i] = 7;
        for (int k = row[i]; k < row[i + 1]; k++) h[col[k]] += a[k];
    }
}
