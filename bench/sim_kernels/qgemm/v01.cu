// desc: thread per result, byte loads, 16x16
// plan: mm<<<dim3(n/16,n/16), dim3(16,16)>>>(n, A, B, C);
__global__ void mm(int n, const signed char *A, const signed char *B, int *C)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y, s = 0;
    for (int k = 0; k < n; k++) s += A[i * n + k] * B[j * n + k];
    C[i * n + j] = s;
}
