void histogram(int n, int nb, const int *x, int *bins)
{
#pragma regraph extent(x: n) extent(bins: nb) input(x: uniform(0, nb-1)) size(n=4194304, nb=256) size(n=1001, nb=17) size(n=7, nb=300) size(n=900, nb=20000)
    for (int k = 0; k < nb; k++) bins[k] = 0;
    for (int i = 0; i < n; i++) bins[x[i]]++;
}
