/* wave equation: three buffers rotate */
#pragma regraph size(n=800, steps=25)
void wave(int n, int steps, float c, float u0[n][n], float u1[n][n], float u2[n][n], float out[n][n])
{
    float (*prev)[n] = u0, (*cur)[n] = u1, (*next)[n] = u2;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] = 2 * cur[i][j] - prev[i][j] + c * (cur[i-1][j] + cur[i+1][j] + cur[i][j-1] + cur[i][j+1] - 4 * cur[i][j]);
        float (*tmp)[n] = prev;
        prev = cur;
        cur = next;
        next = tmp;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i][j] = cur[i][j];
}
