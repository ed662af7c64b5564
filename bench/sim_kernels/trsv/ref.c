/* lower triangular system, n added to the diagonal */
void ref_trsv(int n, const float *L, const float *b, float *x)
{
    for (int i = 0; i < n; i++) {
        float s = b[i];
        for (int j = 0; j < i; j++) s -= L[i * n + j] * x[j];
        x[i] = s / (L[i * n + i] + n);
    }
}
