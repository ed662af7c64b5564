// A strided loop whose start depends on another dimension (red-black). want: parallel
#pragma regraph size(n=200,T=4) size(n=37,T=3)
void redblack(int n, int T, double u[n][n], const double f[n][n]) {
    for (int t = 0; t < T; t++)
        for (int c = 0; c < 2; c++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + c) % 2; j < n - 1; j += 2)
                    u[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1] - f[i][j]);
}
