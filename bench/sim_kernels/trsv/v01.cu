// desc: one block of 1024, a row at a time, tree of shuffles
// plan: solve<<<1, 1024>>>(n, L, b, x);
__global__ void solve(int n, const float *L, const float *b, float *x)
{
    __shared__ float w[32];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = t; j < i; j += 1024) s += L[i * n + j] * x[j];
        for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
        if (!(t & 31)) w[t / 32] = s;
        __syncthreads();
        if (t < 32) {
            s = w[t];
            for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
            if (t == 0) x[i] = (b[i] - s) / (L[i * n + i] + n);
        }
        __syncthreads();
    }
}
