// Runs that go on as long as elements are near the first: where one begins depends on the one before. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) input(x: uniform(0, 9)) extent(x: n)
long runs_ascending_not(const int *x, long n, long *length)
{
    long best = 0, at = -1, i = 0;
    while (i < n) {
        long j = i + 1;
        while (j < n && x[j] >= x[j - 1] && x[j] - x[i] < 4)
            j++;
        if (j - i > best) {
            best = j - i;
            at = i;
        }
        i = j;
    }
    *length = best;
    return at;
}
