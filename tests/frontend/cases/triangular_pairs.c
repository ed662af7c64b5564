#pragma regraph size(n=70, d=5)
void gram(int n, int d, const double *x, double *g)
{
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double s = 0;
            for (int k = 0; k < d; k++)
                s += (x[i * d + k] - x[j * d + k]) * (x[i * d + k] - x[j * d + k]);
            g[i * n + j] = g[j * n + i] = s;
        }
}
// explain: triangular
// explain: x is read as x[n][d]
