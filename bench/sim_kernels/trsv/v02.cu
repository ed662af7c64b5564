// desc: one block of 1024 by columns: x[j] known, every row updated in shared memory
// plan: solve<<<1, 1024, 4*n>>>(n, L, b, x);
__global__ void solve(int n, const float *L, const float *b, float *x)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    for (int i = t; i < n; i += 1024) s[i] = b[i];
    __syncthreads();
    for (int j = 0; j < n; j++) {
        float v = s[j] / (L[j * n + j] + n);
        for (int i = j + 1 + t; i < n; i += 1024) s[i] -= L[i * n + j] * v;
        if (t == 0) x[j] = v;
        __syncthreads();
    }
}
