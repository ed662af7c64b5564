#pragma regraph size(n=100, m=50) extent(A: n, m)
void rows(int n, int m, float *A, float *s)
{
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++) {
            if (j == i)
                continue;
            s[i] += A[i * m + j];
        }
        for (int j = 0; j < m; j++) {
            if (A[i * m + j] > 0.9f)
                break;
            s[i] += 1.0f;
        }
    }
}
