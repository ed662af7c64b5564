// desc: 132 persistent blocks of 512, row copied to shared memory (128 KB) by float4, then two sweeps there
// plan: xent<<<132, 512, n*4>>>(m, n, z, label, loss);
__global__ void __launch_bounds__(512) xent(int m, int n, const float *__restrict__ z, const int *__restrict__ label, float *__restrict__ loss)
{
    extern __shared__ float4 row[];
    __shared__ float red[16];
    int t = threadIdx.x, n4 = n / 4;
    for (int i = blockIdx.x; i < m; i += gridDim.x) {
        const float4 *r = (const float4 *)(z + i * n);
        float top = -1e30f, s = 0;
#pragma unroll 4
        for (int j = t; j < n4; j += 512) { float4 v = r[j]; row[j] = v; top = fmaxf(top, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w))); }
        for (int o = 16; o; o >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, o));
        if (!(t & 31)) red[t >> 5] = top;
        __syncthreads();
        for (int k = 0; k < 16; k++) top = fmaxf(top, red[k]);
        __syncthreads();
        for (int j = t; j < n4; j += 512) { float4 v = row[j]; s += __expf(v.x - top) + __expf(v.y - top) + __expf(v.z - top) + __expf(v.w - top); }
        for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
        if (!(t & 31)) red[t >> 5] = s;
        __syncthreads();
        if (t == 0) {
            s = 0;
            for (int k = 0; k < 16; k++) s += red[k];
            loss[i] = __logf(s) + top - ((float *)row)[label[i]];
        }
        __syncthreads();
    }
}
