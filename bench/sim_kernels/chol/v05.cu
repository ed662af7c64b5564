// desc: thread per matrix, the matrix in local memory, 128 threads
// plan: chol<<<ceil_div(m,128), 128>>>(m, A, L);
__global__ void chol(int m, const float *__restrict__ A, float *__restrict__ L)
{
    int b = blockIdx.x * 128 + threadIdx.x;
    if (b >= m) return;
    float l[576];
    for (int k = 0; k < 576; k++) l[k] = A[b * 576 + k];
    for (int j = 0; j < 24; j++) {
        float d = l[j * 25] + 16.0f;
        for (int k = 0; k < j; k++) d -= l[j * 24 + k] * l[j * 24 + k];
        float r = rsqrtf(d);
        l[j * 25] = d * r;
        for (int i = j + 1; i < 24; i++) {
            float s = l[i * 24 + j];
            for (int k = 0; k < j; k++) s -= l[i * 24 + k] * l[j * 24 + k];
            l[i * 24 + j] = s * r;
        }
    }
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++) L[b * 576 + i * 24 + j] = j <= i ? l[i * 24 + j] : 0.f;
}
