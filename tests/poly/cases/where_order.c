// want: parallel
/* Between sweeps: read before the first and after it, stored between, of rows of n + 2 elements, at places computed in three ways. */
#pragma regraph size(n=50,m=30,a=3,b=77) size(n=9,m=6,a=1,b=12) role(A: inout) role(S: out)
void where_order(int n, int m, int a, int b, const float *B, float *A, float *S)
{
    int w = n + 2;
    S[0] = A[a * w + b] + A[a ^ 1];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < w; j++) A[i * w + j] = 2.0f * B[i * w + j];
    S[1] = A[b];
    A[b] = 7.0f;
    A[b * 2 - a] -= 1.0f;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < w; j++) A[i * w + j] += 1.0f;
    S[2] = A[b] + A[(a + b) % w];
}
