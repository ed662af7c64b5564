// What an iteration leaves hangs on what was left for it, or on what the loop writes: it stays with the loop. want: sequential
#pragma regraph size(n=2000) size(n=7) size(n=1)
void previous_values_not(int n, const double x[n], double y[n])
{
    double before = 0.25;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + 0.5 * before * before;
        before = y[i] > 1 ? y[i] - 1 : y[i];
    }
}
