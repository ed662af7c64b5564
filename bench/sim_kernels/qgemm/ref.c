/* C = A B^T of bytes in whole numbers */
void ref_qgemm(int n, const signed char *A, const signed char *B, int *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < n; k++) s += A[i * n + k] * B[j * n + k];
            C[i * n + j] = s;
        }
}
