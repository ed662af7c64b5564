// want: parallel
/* An error in the middle of the systems, whose number *info gets; behind it nothing is touched. Nobody says how long
 * the arrays are: what the loop would write is kept where it is written. */
#pragma regraph size(n=40, m=30) size(n=1, m=1) size(n=300, m=200) size(n=2, m=1) size(n=1, m=5)
#pragma regraph input(b: uniform(0, 40000)) input(a: uniform(-3, 3))
void exits_by_place(int n, int m, const int *a, const int *b, double *d, double *cp, long *count, int *info)
{
    int i, j;
    *info = 0;
    for (i = 1; i <= n; i++) {
        const int row = (i - 1) * m;
        double bet = b[row];
        if (bet == 0.0) {
            *info = i;
            return;
        }
        d[row] /= bet;
        cp[0] = 0;
        for (j = 1; j < m; j++) {
            cp[j] = a[row + j - 1] / bet;
            bet = b[row + j] + 0.5 - a[row + j] * cp[j];
            if (bet == 0.5) {
                *info = -i;
                return;
            }
            d[row + j] = (d[row + j] - a[row + j] * d[row + j - 1]) / bet;
        }
        for (j = m - 2; j >= 0; j--) d[row + j] -= cp[j + 1] * d[row + j + 1];
        count[i - 1]++;
    }
}
