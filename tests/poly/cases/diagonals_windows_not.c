// Windows whose radius data give stay windows: no loop over all for each element. want: parallel
// chain: parallelize@C
// lacks: i < n &&
#pragma regraph size(n=100) size(n=7) input(radius: uniform(0, 5))
void windows(int n, const int *radius, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        const int r = radius[i], lo = i < r ? 0 : i - r, hi = i + r < n ? i + r + 1 : n;
        float s = 0;
        for (int k = lo; k < hi; k++)
            s += x[k];
        y[i] = s / (hi - lo);
    }
}
