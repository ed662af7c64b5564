// desc: thread per result without __dp4a, 4x1 results a thread, char4 loads, bytes multiplied one by one
// plan: mm<<<dim3(n/64,n/16), dim3(16,16)>>>(n, A, B, C);
__global__ void mm(int n, const void *a, const void *b, int *C)
{
    const char4 *A = (const char4 *)a, *B = (const char4 *)b;
    int j = blockIdx.x * 64 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y, m = n / 4, s[4] = {0};
    for (int k = 0; k < m; k++) {
        char4 u = A[i * m + k];
#pragma unroll
        for (int q = 0; q < 4; q++) {
            char4 v = B[(j + 16 * q) * m + k];
            s[q] += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        }
    }
    for (int q = 0; q < 4; q++) C[i * n + j + 16 * q] = s[q];
}
