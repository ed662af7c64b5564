// desc: blocks of 32, one a row, no unrolling
// plan: am<<<m, 32>>>(n, x, at);
__global__ void am(int n, const float *x, int *at)
{
    int l = threadIdx.x, b = l;
    const float *r = x + (long)blockIdx.x * n;
    float w = r[l];
#pragma unroll 1
    for (int j = l + 32; j < n; j += 32) { float v = r[j]; if (v > w) w = v, b = j; }
    for (int o = 16; o; o /= 2) {
        float u = __shfl_xor_sync(~0u, w, o);
        int c = __shfl_xor_sync(~0u, b, o);
        if (u > w || (u == w && c < b)) w = u, b = c;
    }
    if (l == 0) at[blockIdx.x] = b;
}
