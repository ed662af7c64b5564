// desc: block of 32 per matrix in shared memory, unpadded, right-looking, roots and quotients in double
// plan: chol<<<m, 32>>>(A, L);
__global__ void chol(const float *A, float *L)
{
    __shared__ float s[576];
    int t = threadIdx.x, o = blockIdx.x * 576;
    for (int k = t; k < 576; k += 32) s[k] = A[o + k];
    __syncthreads();
    for (int k = 0; k < 24; k++) {
        double d = sqrt((double)s[k * 25] + 16.0);
        __syncthreads();
        if (t == k) s[k * 25] = d;
        else if (t > k && t < 24) s[t * 24 + k] = s[t * 24 + k] / d;
        __syncthreads();
        if (t > k && t < 24)
            for (int j = k + 1; j <= t; j++) s[t * 24 + j] -= s[t * 24 + k] * s[j * 24 + k];
        __syncthreads();
    }
    for (int k = t; k < 576; k += 32) L[o + k] = k % 24 <= k / 24 ? s[k] : 0.f;
}
