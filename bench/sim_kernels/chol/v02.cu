// desc: block of 24x24 per matrix in shared memory, right-looking, thread per element
// plan: chol<<<m, dim3(24,24)>>>(A, L);
__global__ void chol(const float *A, float *L)
{
    __shared__ float s[24][24];
    int j = threadIdx.x, i = threadIdx.y, o = blockIdx.x * 576 + i * 24 + j;
    s[i][j] = A[o] + (i == j ? 16.f : 0.f);
    __syncthreads();
    for (int k = 0; k < 24; k++) {
        if (i == k && j == k) s[k][k] = sqrtf(s[k][k]);
        __syncthreads();
        if (j == k && i > k) s[i][k] /= s[k][k];
        __syncthreads();
        if (j > k && i >= j) s[i][j] -= s[i][k] * s[j][k];
        __syncthreads();
    }
    L[o] = j <= i ? s[i][j] : 0.f;
}
