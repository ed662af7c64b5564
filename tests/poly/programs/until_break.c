/* break on a sum of squares, sweep and copy */
#pragma regraph size(n=200000, maxit=50) input(eps: constant(0.01))
int relax(int n, int maxit, float eps, float x[n], float y[n])
{
    int k;
    for (k = 0; k < maxit; k++) {
        float diff = 0.0f;
        for (int i = 1; i < n - 1; i++) y[i] = 0.5f * (x[i - 1] + x[i + 1]);
        for (int i = 1; i < n - 1; i++) diff += (y[i] - x[i]) * (y[i] - x[i]);
        for (int i = 1; i < n - 1; i++) x[i] = y[i];
        if (diff / n < eps) break;
    }
    return k;
}
