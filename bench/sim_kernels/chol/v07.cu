// desc: packed lower triangle, eight matrices a block of 256, a warp each, updates spread over lanes
// plan: chol<<<m/8, 256>>>(A, L);
__global__ void __launch_bounds__(256) chol(const float *__restrict__ A, float *__restrict__ L)
{
    __shared__ float sh[8][300];
    int w = threadIdx.x / 32, t = threadIdx.x & 31, o = (blockIdx.x * 8 + w) * 576;
    float *s = sh[w];
    for (int k = t; k < 576; k += 32) { int i = k / 24, j = k % 24; if (j <= i) s[i * (i + 1) / 2 + j] = A[o + k] + (i == j ? 16.f : 0.f); }
    __syncwarp();
    for (int k = 0; k < 24; k++) {
        float r = rsqrtf(s[k * (k + 3) / 2]);
        __syncwarp();
        if (t >= k && t < 24) s[t * (t + 1) / 2 + k] *= r;
        __syncwarp();
        for (int i = k + 1; i < 24; i++) {
            float a = s[i * (i + 1) / 2 + k];
            int j = k + 1 + t;
            if (j <= i) s[i * (i + 1) / 2 + j] -= a * s[j * (j + 1) / 2 + k];
        }
        __syncwarp();
    }
    for (int k = t; k < 576; k += 32) { int i = k / 24, j = k % 24; L[o + k] = j <= i ? s[i * (i + 1) / 2 + j] : 0.f; }
}
