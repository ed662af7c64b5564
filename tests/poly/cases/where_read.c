// want: sequential
/* What is read may be an element that another iteration has written, or will. */
#pragma regraph size(n=30,m=20,k=33) size(n=7,m=5,k=8) role(A: inout) extent(A: n * m)
void where_read(int n, int m, int k, const float *B, float *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i * m + j] = 0.5f * A[k] + B[i * m + j];
}
