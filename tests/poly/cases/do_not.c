// The end of a do loop moves on with the data, and an element that is skipped does not step: as it stands. want: sequential
#pragma regraph size(n=300) size(n=1) size(n=7) extent(x: n) extent(y: 2 * n) extent(count: 1)
void grows(int n, const int *x, int *y, int *count)
{
    int i = 0, end = 1, at = 0;
    do {
        y[i] = x[i % n] + at;
        at = y[i] % 7;
        if (x[i % n] > 0 && end < n) end++;
        i++;
    } while (i < end);
    *count = i;
}
