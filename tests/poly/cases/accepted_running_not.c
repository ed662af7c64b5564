// What stands in front of the test still sees what was there before the first iteration. want: sequential
#pragma regraph size(n=1000) size(n=1) size(n=7) extent(price: n) extent(before: n)
void accepted_running_not(const double *price, int n, double *before, double start)
{
    double peak = start;
    for (int i = 0; i < n; i++) {
        before[i] = peak;
        if (i == 0 || price[i] > peak) peak = price[i];
    }
}
