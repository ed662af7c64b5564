// desc: warp per matrix in padded shared memory, thread per row, left-looking, 4 warps
// plan: chol<<<m/4, 128>>>(A, L);
__global__ void chol(const float *__restrict__ A, float *__restrict__ L)
{
    __shared__ float sh[4][24 * 25];
    int w = threadIdx.x / 32, i = threadIdx.x & 31, o = (blockIdx.x * 4 + w) * 576;
    float *s = sh[w];
    for (int k = i; k < 576; k += 32) s[k / 24 * 25 + k % 24] = A[o + k];
    __syncwarp();
    for (int j = 0; j < 24; j++) {
        float v = 0;
        if (i >= j && i < 24) {
            v = s[i * 25 + j] + (i == j ? 16.f : 0.f);
            for (int k = 0; k < j; k++) v -= s[i * 25 + k] * s[j * 25 + k];
        }
        float d = sqrtf(__shfl_sync(~0u, v, j));
        if (i >= j && i < 24) s[i * 25 + j] = i == j ? d : v / d;
        __syncwarp();
    }
    for (int k = i; k < 576; k += 32) L[o + k] = k % 24 <= k / 24 ? s[k / 24 * 25 + k % 24] : 0.f;
}
