// Sizes that go together, as what the function turns back for says: one follows from the others. want: parallel
int guards_solved(int n, int k, int pad, int m, const float *x, const float *w, float *y)
{
    if (n < k || k <= 0) return -1;
    if (n + 2 * pad - k + 1 != m) return -2;
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < k; j++)
            if (i + j - pad >= 0 && i + j - pad < n) s += w[j] * x[i + j - pad];
        y[i] = s;
    }
    return 0;
}
