// An element that a loop adds to, and that the same iteration reads through another subscript: its sum is not there before the loop ends. want: parallel
// refused: reduce.block@loop:j : has no site 'loop:j' here
#pragma regraph size(n=40) size(n=1) size(n=9)
void sum_read_within(int n, const double d[n + 4], double y[n + 8], double a[n + 4][n + 4], double x[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < n; k++) y[4] -= 0.05 * d[k + 2];
            a[j + 2][i + 3] = 0.2 * y[i + 3];
        }
    for (int i = 0; i < n; i++) x[i] = 2 * x[i];
}
