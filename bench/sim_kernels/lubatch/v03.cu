// desc: block of 32 per system in shared memory, thread per row, unpadded
// plan: solve<<<b, 32>>>(A, r, x);
__global__ void solve(const float *A, const float *r, float *x)
{
    __shared__ float m[32][32], v[32];
    int t = threadIdx.x, s = blockIdx.x;
    for (int i = 0; i < 32; i++) m[i][t] = A[s * 1024 + i * 32 + t] + (i == t ? 40 : 0);
    v[t] = r[s * 32 + t];
    __syncthreads();
    for (int k = 0; k < 32; k++) {
        if (t > k) {
            float f = m[t][k] / m[k][k];
            for (int j = k + 1; j < 32; j++) m[t][j] -= f * m[k][j];
            v[t] -= f * v[k];
        }
        __syncthreads();
    }
    for (int i = 31; i >= 0; i--) {
        if (t == i) v[i] /= m[i][i];
        __syncthreads();
        if (t < i) v[t] -= m[t][i] * v[i];
        __syncthreads();
    }
    x[s * 32 + t] = v[t];
}
