// desc: matrices laid side by side by a transposition first and back after, thread per matrix, coalesced, 64 threads
// plan: scratch float T[576*m];
// plan: turn<<<dim3(576/32, m/32), dim3(32,8)>>>(576, m, A, T);
// plan: chol<<<m/64, 64>>>(m, T);
// plan: turn<<<dim3(m/32, 576/32), dim3(32,8)>>>(m, 576, T, L);
__global__ void turn(int w, int h, const float *x, float *y)
{
    __shared__ float t[32][33];
    int a = blockIdx.x * 32, b = blockIdx.y * 32, l = threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) t[k][l] = x[(b + k) * w + a + l];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) y[(a + k) * h + b + l] = t[l][k];
}
__global__ void chol(int m, float *T)
{
    int b = blockIdx.x * 64 + threadIdx.x;
    float *t = T + b;
    for (int j = 0; j < 24; j++) {
        float row[24];
#pragma unroll
        for (int k = 0; k < 24; k++) row[k] = k < j ? t[(j * 24 + k) * m] : 0.f;
        float d = t[j * 25 * m] + 16.0f;
#pragma unroll
        for (int k = 0; k < 24; k++) d -= row[k] * row[k];
        float r = rsqrtf(d);
        t[j * 25 * m] = d * r;
        for (int i = 0; i < j; i++) t[(i * 24 + j) * m] = 0;
        for (int i = j + 1; i < 24; i++) {
            float s = t[(i * 24 + j) * m];
#pragma unroll
            for (int k = 0; k < 24; k++) if (k < j) s -= t[(i * 24 + k) * m] * row[k];
            t[(i * 24 + j) * m] = s * r;
        }
    }
}
