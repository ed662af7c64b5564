// desc: one launch, a block of 256 per 32 rows, waits for a flag of every block before it
// plan: scratch int f[n/32];
// plan: fill(f, 0);
// plan: solve<<<n/32, 256>>>(n, L, b, x, f);
__global__ void solve(int n, const float *L, const float *b, float *x, int *f)
{
    __shared__ float s[32][9], t[32][33];
    int l = threadIdx.x & 31, w = threadIdx.x / 32, k = blockIdx.x;
    for (int r = w; r < 32; r += 8) t[r][l] = L[(k * 32 + r) * n + k * 32 + l];
    float a[4] = {0};
    for (int j = w; j < k; j += 8) {
        if (l == 0) while (!((volatile int *)f)[j]) { }
        __syncwarp();
        __threadfence();
        float v = ((volatile float *)x)[j * 32 + l];
        for (int q = 0; q < 4; q++)
            for (int r = q * 8; r < q * 8 + 8; r++) {
                float m = L[(k * 32 + r) * n + j * 32 + l] * v;
                for (int o = 16; o; o /= 2) m += __shfl_xor_sync(~0u, m, o);
                if (l == r) a[q] += m;
            }
    }
    s[l][w] = a[0] + a[1] + a[2] + a[3];
    __syncthreads();
    if (w == 0) {
        int i = k * 32 + l;
        float v = b[i], d = 1 / (t[l][l] + n);
        for (int q = 0; q < 8; q++) v -= s[l][q];
        for (int q = 0; q < 32; q++) {
            float u = __shfl_sync(~0u, v * d, q);
            if (l == q) x[i] = u;
            if (l > q) v -= t[l][q] * u;
        }
        __threadfence();
        if (l == 0) ((volatile int *)f)[k] = 1;
    }
}
