#pragma regraph size(n=1048576, nb=200)
/* coordinates binned, guarded, double */
#pragma regraph extent(x: n) extent(hist: nb)
void density(int n, int nb, double lo, double hi, const double *x, double *hist)
{
    double inv = nb / (hi - lo);
    for (int b = 0; b < nb; b++) hist[b] = 0.0;
    for (int i = 0; i < n; i++) {
        int b = (int)((x[i] - lo) * inv);
        if (b >= 0 && b < nb)
            hist[b] += 1.0;
    }
    for (int b = 0; b < nb; b++) hist[b] /= n;
}
