// Of what differs from iteration to iteration, of many components, and of a loop's own array the loops stay. want: parallel
#pragma regraph size(n=600, m=40) size(n=1, m=1) size(n=70, m=3) extent(x: 3 * m) extent(f: 3 * n) extent(h: 40) extent(o: n) input(x: uniform(-1, 1))
void short_sums_not(int n, int m, const double *x, double *f, double *h, double *o)
{
    for (int i = 0; i < n; i++) {
        double s[3] = {0, 0, 0};
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++) {
                f[3 * i + k] += x[3 * j + k];
                s[k] += x[3 * j + k] * i;
            }
        o[i] = s[0] + s[1] * s[2];
    }
    for (int j = 0; j < m; j++)
        for (int k = 0; k < 40; k++) h[k] += x[3 * j] * k;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < 3; k++) {
            if (x[j] > 0.99) break;
            h[k] += x[3 * j + k];
        }
}
