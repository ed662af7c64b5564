// Runs in which each element is compared with the one in front of it: the longest, the first of them. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(0, 9))
long runs_ascending(const int *x, long n, long *length)
{
    long best = 0, at = -1, i = 0;
    while (i < n) {
        long j = i + 1;
        while (j < n && x[j] > x[j - 1] && x[j] != 7)
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
