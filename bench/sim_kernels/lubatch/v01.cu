// desc: thread per system in a copy in global memory, 64 threads
// plan: scratch float M[b*1024];
// plan: copy(M, A);
// plan: solve<<<ceil_div(b,64), 64>>>(b, M, r, x);
__global__ void solve(int b, float *M, const float *r, float *x)
{
    int s = blockIdx.x * 64 + threadIdx.x;
    if (s >= b) return;
    float *m = M + s * 1024, *v = x + s * 32;
    for (int i = 0; i < 32; i++) { m[i * 33] += 40; v[i] = r[s * 32 + i]; }
    for (int k = 0; k < 32; k++)
        for (int i = k + 1; i < 32; i++) {
            float f = m[i * 32 + k] / m[k * 33];
            for (int j = k + 1; j < 32; j++) m[i * 32 + j] -= f * m[k * 32 + j];
            v[i] -= f * v[k];
        }
    for (int i = 31; i >= 0; i--) {
        float t = v[i];
        for (int j = i + 1; j < 32; j++) t -= m[i * 32 + j] * v[j];
        v[i] = t / m[i * 33];
    }
}
