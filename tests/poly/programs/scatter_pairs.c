#pragma regraph size(n=1024)
/* polynomial product, affine collisions; pairs */
void pairs(int n, const double x[n], double f[n])
{
    for (int i = 0; i < n; i++) f[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d = x[i] - x[j];
            double g = d / (d * d + 0.1);
            f[i] += g;
            f[j] -= g;
        }
}
