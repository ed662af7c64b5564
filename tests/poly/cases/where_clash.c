// want: sequential
/* Each element is stored, and then some element of another row, which data say: any two iterations may meet. */
#pragma regraph size(n=30,m=20) size(n=7,m=5) role(A: inout) extent(A: n * m)
void where_clash(int n, int m, const int *at, const float *B, float *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            A[i * m + j] = B[i * m + j];
            A[at[j]] = 0.5f * B[i * m + j];
        }
}
