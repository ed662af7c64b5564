// One of the counters steps again where data say so: how often the loop runs depends on them. want: sequential
#pragma regraph size(n=1000) size(n=1) size(n=2) size(n=3) size(n=64) extent(x: n) extent(y: n)
int meeting_not(const int *restrict x, int *restrict y, int n)
{
    int i = 0, j = n - 1;
    for (; i < j; i++, j--) {
        y[i] = x[j] + y[j];
        if (x[i] & 1) j--;
    }
    return i + j;
}
