#pragma regraph size(m=30, n=40, lda=48)
void scale(int m, int n, double *A, int lda, double s)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            A[i + j * lda] *= s;
}
// explain: require m <= lda
// explain: A is read as A[n][lda]
