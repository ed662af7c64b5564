// desc: thread per system, 4 KB of local memory a thread, 128 threads
// plan: solve<<<ceil_div(b,128), 128>>>(b, A, r, x);
__global__ void solve(int b, const float *A, const float *r, float *x)
{
    int s = blockIdx.x * 128 + threadIdx.x;
    if (s >= b) return;
    float m[32][32], v[32];
#pragma unroll 1
    for (int i = 0; i < 32; i++) {
#pragma unroll 4
        for (int j = 0; j < 32; j++) m[i][j] = A[s * 1024 + i * 32 + j];
        m[i][i] += 40;
        v[i] = r[s * 32 + i];
    }
#pragma unroll 1
    for (int k = 0; k < 32; k++)
#pragma unroll 1
        for (int i = k + 1; i < 32; i++) {
            float f = m[i][k] / m[k][k];
            for (int j = k + 1; j < 32; j++) m[i][j] -= f * m[k][j];
            v[i] -= f * v[k];
        }
#pragma unroll 1
    for (int i = 31; i >= 0; i--) {
        for (int j = i + 1; j < 32; j++) v[i] -= m[i][j] * v[j];
        v[i] /= m[i][i];
    }
    for (int i = 0; i < 32; i++) x[s * 32 + i] = v[i];
}
