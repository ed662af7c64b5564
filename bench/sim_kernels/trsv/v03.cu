// desc: blocks of 32 rows: a warp solves the diagonal tile, then a launch updates what is below; 2n/32 launches
// plan: scratch float s[n];
// plan: copy(s, b);
// plan: for (int k = 0; k < n/32; k++) { tile<<<1, 32>>>(n, k, L, s, x); if (k < n/32-1) below<<<(n/32-1-k), dim3(32,8)>>>(n, k, L, s, x); }
__global__ void tile(int n, int k, const float *L, const float *s, float *x)
{
    int l = threadIdx.x, i = k * 32 + l;
    float v = s[i], d = 1 / (L[i * n + i] + n);
    for (int q = 0; q < 32; q++) {
        float w = __shfl_sync(~0u, v * d, q);
        if (l == q) x[i] = w;
        if (l > q) v -= L[i * n + k * 32 + q] * w;
    }
}
__global__ void below(int n, int k, const float *L, float *s, const float *x)
{
    int l = threadIdx.x;
    float w = x[k * 32 + l];
    for (int r = threadIdx.y; r < 32; r += 8) {
        int i = (k + 1 + blockIdx.x) * 32 + r;
        float v = L[i * n + k * 32 + l] * w;
        for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0u, v, o);
        if (l == 0) s[i] -= v;
    }
}
