// desc: whole row sorted in shared memory (bitonic), 1024 threads
// plan: top<<<m, 1024>>>(x, y);
__global__ void top(const float *x, float *y)
{
    __shared__ float s[2048];
    int t = threadIdx.x, i = blockIdx.x;
    s[t] = x[i * 2048 + t];
    s[t + 1024] = x[i * 2048 + t + 1024];
    for (int k = 2; k <= 2048; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int a = 2 * t - (t & (j - 1)), b = a + j;
            bool up = (a & k) != 0;
            float p = s[a], q = s[b];
            if ((p > q) == up) { if (p != q) { s[a] = q; s[b] = p; } }
        }
    __syncthreads();
    if (t < 8) y[i * 8 + t] = s[t];
}
