// desc: block of 1024 per row, float4, value kept in a register, shuffles
// plan: am<<<m, 1024>>>(n, x, at);
__global__ void am(int n, const float4 *__restrict__ x, int *at)
{
    __shared__ float v[32];
    __shared__ int p[32];
    int t = threadIdx.x, b = 0;
    float w = -1e30f;
    const float4 *r = x + (long)blockIdx.x * (n / 4);
#pragma unroll 4
    for (int j = t; j < n / 4; j += 1024) {
        float4 q = r[j];
        if (q.x > w) w = q.x, b = 4 * j;
        if (q.y > w) w = q.y, b = 4 * j + 1;
        if (q.z > w) w = q.z, b = 4 * j + 2;
        if (q.w > w) w = q.w, b = 4 * j + 3;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int o = 16; o; o /= 2) {
            float u = __shfl_xor_sync(~0u, w, o);
            int c = __shfl_xor_sync(~0u, b, o);
            if (u > w || (u == w && c < b)) w = u, b = c;
        }
        if (pass) break;
        if (!(t & 31)) v[t / 32] = w, p[t / 32] = b;
        __syncthreads();
        if (t >= 32) return;
        w = v[t]; b = p[t];
    }
    if (t == 0) at[blockIdx.x] = b;
}
