// desc: thread per entry, its row by binary search, scalar loads along d
// plan: sddmm<<<ceil_div(m*32,256), 256>>>(m, m*32, d, row, col, val, A, B, out);
__global__ void sddmm(int m, int nnz, int d, const int *row, const int *col, const float *val, const float *A, const float *B, float *out)
{
    int e = blockIdx.x * 256 + threadIdx.x;
    if (e >= nnz) return;
    int lo = 0, hi = m;
    while (hi - lo > 1) { int mid = (lo + hi) / 2; if (row[mid] <= e) lo = mid; else hi = mid; }
    const float *a = A + lo * d, *b = B + col[e] * d;
    float s = 0;
    for (int k = 0; k < d; k++) s += a[k] * b[k];
    out[e] = val[e] * s;
}
