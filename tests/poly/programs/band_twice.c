/* test-threads: 6000. Two reductions into one element, ranges that may be empty */
#pragma regraph size(n=200, w=111) size(n=20, w=3) size(n=5, w=9)
void outside(int n, int w, const float A[n][n], const float x[n], float y[n])
{
    for (int i = 0; i < n; i++) {
        y[i] = 1;
        for (int j = i + w; j < n; j++) y[i] += A[i][j] * x[j];
        for (int j = 0; j < i - w; j++) y[i] += A[i][j] * x[j];
    }
}
