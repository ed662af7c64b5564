// want: parallel
/* A loop over all elements keeps its flat subscript: rows would take its parallelism. */
#pragma regraph size(n=600,m=20,t=30) size(n=35,m=5,t=7) role(A: inout)
void where_flat(int n, int m, int t, const float *B, float *A)
{
    for (int k = 0; k < n; k++) A[k] = 0.5f * A[k] + B[k];
    for (int i = 0; i < t; i++) A[i * m] = 0.25f * A[i * m + 1];
}
