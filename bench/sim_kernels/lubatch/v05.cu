// desc: block of 32x32 per system, thread per element, two barriers a step
// plan: solve<<<b, dim3(32,32)>>>(A, r, x);
__global__ void solve(const float *A, const float *r, float *x)
{
    __shared__ float m[32][33], v[32];
    int j = threadIdx.x, i = threadIdx.y, s = blockIdx.x;
    m[i][j] = A[s * 1024 + i * 32 + j] + (i == j ? 40 : 0);
    if (i == 0) v[j] = r[s * 32 + j];
    __syncthreads();
    for (int k = 0; k < 32; k++) {
        float f = i > k ? m[i][k] / m[k][k] : 0;
        __syncthreads();
        if (i > k && j > k) m[i][j] -= f * m[k][j];
        if (i > k && j == 0) v[i] -= f * v[k];
        __syncthreads();
    }
    for (int k = 31; k >= 0; k--) {
        if (i == 0 && j == k) v[k] /= m[k][k];
        __syncthreads();
        if (i == 0 && j < k) v[j] -= m[j][k] * v[k];
        __syncthreads();
    }
    if (i == 0) x[s * 32 + j] = v[j];
}
