/* y = A x, A symmetric, only its lower triangle is looked at */
void ref_symv(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            y[i] += A[i * n + j] * x[j];
            if (j < i) y[j] += A[i * n + j] * x[i];
        }
}
