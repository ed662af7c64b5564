// want: sequential
/* The while loop goes on into the next rows: i says nothing about where. */
#pragma regraph size(n=50, m=20) size(n=5, m=3) extent(A: (n + 2) * m) role(A: inout)
void runs_over(int n, int m, const float *B, float *A)
{
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < 2 * m && B[i] < 0.9f) {
            A[i * m + j] = 0.5f * A[i * m + j] + B[i];
            j++;
        }
    }
}
