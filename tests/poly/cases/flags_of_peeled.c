// want: parallel
/* The schedule's copies of a loop have one counter: what each iteration of one stores is not one value throughout. */
double flags_of_peeled(int n, const double *restrict d, double *restrict x)
{
#pragma regraph size(n=17) size(n=1) size(n=8) extent(d: n) extent(x: n)
    double sum = 0;
    for (int i = 0; i < 7; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k += 2) x[j] = 0.3 * j;
    for (int i = 0; i < n - 1; i++) {
        if (i > 0 && i != n - 2)
            sum += d[i];
        else
            for (int k = i > 3 ? i - 3 : 0; k < n; k++) x[i] = 0.5 * k;
    }
    return sum;
}
