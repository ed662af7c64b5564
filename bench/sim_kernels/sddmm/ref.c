/* sampled dense-dense product: out = val * (A B^T) where the CSR pattern has an entry; d columns in A and B */
void ref_sddmm(int m, int n, int d, const int *row, const int *col, const float *val, const float *A, const float *B, float *out)
{
    (void)n;
    for (int i = 0; i < m; i++)
        for (int e = row[i]; e < row[i + 1]; e++) {
            float s = 0;
            for (int k = 0; k < d; k++) s += A[i * d + k] * B[col[e] * d + k];
            out[e] = val[e] * s;
        }
}
