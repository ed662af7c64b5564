// want: parallel
// chain: parallelize@C,coalesce@C,prefetch.register@C
// What iterations pass on through arrays, in ways that may and may not stay in registers; m = 1 and m = 2 leave loops that do not run.
#pragma regraph size(n=300, m=65) size(n=33, m=64) size(n=5, m=3) size(n=4, m=2) size(n=3, m=1)
void recurrences(int n, int m, const float x[n][m], float y[n][m], float z[n][m], double w[n][m], int v[n][m], float t[n][m], float s[n][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            y[i][j] = x[i][j];
            z[i][j] = 0;
            s[i][j] = x[i][j] * 0.5f;
        }
        for (int j = 2; j < m; j++) /* one and two before */
            y[i][j] = 0.4f * y[i][j - 1] - 0.3f * y[i][j - 2] + x[i][j];
        for (int j = m - 2; j >= 0; j--) /* downwards, read twice */
            z[i][j] = 0.5f * z[i][j + 1] + (z[i][j + 1] > 0.25f ? x[i][j] : 1 - x[i][j]);
        for (int j = 2; j < m; j += 2) /* in steps of two: the odd ones stay */
            w[i][j] = w[i][j - 2] * 0.5 + w[i][j - 1];
        for (int j = 1; j < m; j++) /* an update */
            v[i][j] += v[i][j - 1] % 7;
        for (int j = 1; j < m; j++) /* not in every iteration */
            if (x[i][j] > 0)
                t[i][j] = t[i][j - 1] * 0.5f + 1;
        for (int j = 1; j < m; j++) { /* written twice */
            s[i][j] = 0.5f * s[i][j - 1] + y[i][j];
            s[i][j] = s[i][j] * 0.25f - s[i][j - 1];
        }
        for (int j = 3; j < m; j++) { /* three before, and the one of this iteration; another array in a loop inside */
            float a = 0;
            for (int k = 1; k < 3; k++)
                a += z[i][j - k];
            y[i][j] = 0.1f * y[i][j - 3] + a;
            z[i][j] = y[i][j] * 0.5f + y[i][j - 1];
        }
    }
}
