// desc: thread per matrix in global memory, 64 threads
// plan: chol<<<ceil_div(m,64), 64>>>(m, A, L);
__global__ void chol(int m, const float *A, float *L)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= m) return;
    const float *a = A + b * 576;
    float *l = L + b * 576;
    for (int j = 0; j < 24; j++) {
        float d = a[j * 24 + j] + 16.0f;
        for (int k = 0; k < j; k++) d -= l[j * 24 + k] * l[j * 24 + k];
        d = sqrtf(d);
        for (int i = 0; i < j; i++) l[i * 24 + j] = 0;
        l[j * 24 + j] = d;
        for (int i = j + 1; i < 24; i++) {
            float s = a[i * 24 + j];
            for (int k = 0; k < j; k++) s -= l[i * 24 + k] * l[j * 24 + k];
            l[i * 24 + j] = s / d;
        }
    }
}
