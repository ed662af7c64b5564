// want: sequential
// Where the loop that fills has no round, what stands in front of the loop over items is read: it stays.
#pragma regraph size(m=300,n=6) size(m=31,n=3) size(m=7,n=2) extent(x: m) extent(out: m) require(n <= 7)
void private_empty_not(int m, int n, const double *x, double *out)
{
    double a[8];
    for (int k = 0; k < 8; k++) a[k] = k;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n - 3; i++)
            for (int j = 0; j < 4; j++) a[i + j] = x[t] * j;
        out[t] = a[0] + 10 * a[1];
    }
}
