void ref_hgemm(int n, const float *A, const float *B, float *C)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) C[i * n + j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) C[i * n + j] += A[i * n + k] * B[k * n + j];
    }
}
