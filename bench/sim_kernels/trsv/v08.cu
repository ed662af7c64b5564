// desc: tiles of 128: the diagonal one by a block in shared memory, the rest by a warp per row; 2n/128 launches
// plan: scratch float s[n];
// plan: copy(s, b);
// plan: for (int k = 0; k < n/128; k++) { tile<<<1, 128, 128*129*4+512>>>(n, k, L, s, x); if (k < n/128-1) below<<<16*(n/128-1-k), 256>>>(n, k, L, s, x); }
__global__ void tile(int n, int k, const float *L, const float *s, float *x)
{
    extern __shared__ float m[];
    float *v = m + 128 * 129;
    int t = threadIdx.x, i = k * 128 + t;
    for (int r = 0; r < 128; r++) m[r * 129 + t] = L[(k * 128 + r) * n + k * 128 + t];
    v[t] = s[i];
    __syncthreads();
    for (int q = 0; q < 128; q++) {
        if (t == q) v[q] = v[q] / (m[q * 130] + n);
        __syncthreads();
        if (t > q) v[t] -= m[t * 129 + q] * v[q];
    }
    x[i] = v[t];
}
__global__ void below(int n, int k, const float *L, float *s, const float *x)
{
    int i = (k + 1) * 128 + blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31;
    float4 a = *(const float4 *)&L[i * n + k * 128 + 4 * l], w = *(const float4 *)&x[k * 128 + 4 * l];
    float v = a.x * w.x + a.y * w.y + a.z * w.z + a.w * w.w;
    for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0u, v, o);
    if (l == 0) s[i] -= v;
}
