/* Smith-Waterman: the score of the best local alignment of two sequences, and the table. */
static int max2(int a, int b) { return a > b ? a : b; }

#pragma regraph size(n=300, m=400) size(n=37, m=101) size(n=1, m=3)
#pragma regraph input(a: uniform(0, 3)) input(b: uniform(0, 3)) role(H: out)
int align(int n, int m, const unsigned char a[n], const unsigned char b[m], int H[n + 1][m + 1])
{
    int best = 0;
    for (int j = 0; j <= m; j++)
        H[0][j] = 0;
    for (int i = 1; i <= n; i++) {
        H[i][0] = 0;
        for (int j = 1; j <= m; j++) {
            int h = H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -3);
            h = max2(h, H[i - 1][j] - 2);
            h = max2(h, H[i][j - 1] - 2);
            h = max2(h, 0);
            H[i][j] = h;
            best = max2(best, h);
        }
    }
    return best;
}
