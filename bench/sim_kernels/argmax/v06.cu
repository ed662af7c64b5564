// desc: warp per row, 4 warps, values first, then the place is looked for again
// plan: am<<<ceil_div(m,4), 128>>>(m, n, x, at);
__global__ void am(int m, int n, const float *__restrict__ x, int *at)
{
    int i = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (i >= m) return;
    const float *r = x + (long)i * n;
    float w = -1e30f;
#pragma unroll 8
    for (int j = l; j < n; j += 32) w = fmaxf(w, r[j]);
    for (int o = 16; o; o /= 2) w = fmaxf(w, __shfl_xor_sync(~0u, w, o));
    for (int j = l; ; j += 32) {
        unsigned hit = __ballot_sync(~0u, r[j] == w);
        if (hit) { if (l == 0) at[i] = j + __ffs(hit) - 1; return; }
    }
}
