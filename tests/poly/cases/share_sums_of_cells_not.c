// What each pair adds depends on the sum so far: there are no shares of it. want: parallel
// refused: reduce.block@loop:c : no site
#pragma regraph size(n=60,nc=6) size(n=20,nc=3) extent(first: nc + 1) extent(x: n) extent(f: n) input(first: prefix(n))
void cell_sums(int n, int nc, const double *x, const int *first, double *f, double sums[1])
{
    double pot = 0;
    for (int c = 0; c < nc; c++)
        for (int d = -1; d <= 1; d++) {
            int o = (c + d + nc) % nc;
            for (int i = first[c]; i < first[c + 1]; i++)
                for (int j = first[o]; j < first[o + 1]; j++) {
                    double r = x[i] - x[j];
                    if (pot < 3) pot += r * r;
                    f[i] += r;
                    f[j] -= r;
                }
        }
    sums[0] = pot;
}
