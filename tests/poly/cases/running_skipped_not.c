// What is skipped hangs on the running mean. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) input(x: uniform(100, 101))
double running_skipped_not(const double *x, int n)
{
    long count = 0;
    double mean = 100;
    for (int i = 0; i < n; i++) {
        if (x[i] > mean + 0.4) continue;
        count++;
        mean += (x[i] - mean) / count;
    }
    return mean;
}
