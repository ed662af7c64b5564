// Integers behind pointers beside state of the file: what opens the state asks no argument. want: parallel
#pragma regraph size(n = 3000)
static double sums[4000];
static long calls;
void behind_state(const int *n, const unsigned *k, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < *n; i++) {
        sums[i] += x[i] * (*k - 6u > 10u);
        y[i] = sums[i];
    }
    calls += 1;
}
