/* two planes of one array, an index that toggles */
#pragma regraph size(n=700, steps=20)
void planes(int n, int steps, float g[2][n][n], float out[n][n])
{
    int cur = 0;
    for (int t = 0; t < steps; t++) {
        int nxt = 1 - cur;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                g[nxt][i][j] = g[cur][i][j] + 0.1f * (g[cur][i+1][j] + g[cur][i-1][j] + g[cur][i][j+1] + g[cur][i][j-1] - 4.0f * g[cur][i][j]);
        cur = nxt;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i][j] = g[cur][i][j];
}
