#pragma regraph size(n=60, m=70)
void life(int n, int m, const unsigned char *g, unsigned char *h)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = (i + n - 1) % n, down = (i + 1) % n, left = (j + m - 1) % m, right = (j + 1) % m;
            int c = g[up * m + left] + g[up * m + j] + g[up * m + right] + g[i * m + left] + g[i * m + right] + g[down * m + left] +
                    g[down * m + j] + g[down * m + right];
            h[i * m + j] = c == 3 || (c == 2 && g[i * m + j]);
        }
}
#pragma regraph extent(g: n, m) input(g: uniform(0, 1))
