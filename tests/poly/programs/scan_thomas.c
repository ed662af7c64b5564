/* tridiagonal systems, one a row: the elimination's two recurrences, the substitution */
#pragma regraph size(rows=400, n=600)
#pragma regraph input(a: uniform(0.1, 0.3)) input(b: uniform(1, 2)) input(c: uniform(0.1, 0.3))
void solve(int rows, int n, const double a[rows][n], const double b[rows][n], const double c[rows][n], double p[rows][n], double d[rows][n])
{
    for (int i = 0; i < rows; i++) {
        p[i][0] = c[i][0] / b[i][0];
        d[i][0] = d[i][0] / b[i][0];
        for (int j = 1; j < n; j++) {
            double w = 1.0 / (b[i][j] - a[i][j] * p[i][j - 1]);
            p[i][j] = c[i][j] * w;
            d[i][j] = (d[i][j] - a[i][j] * d[i][j - 1]) * w;
        }
        for (int j = n - 2; j >= 0; j--) d[i][j] -= p[i][j] * d[i][j + 1];
    }
}
