// What is compared is narrower than what is kept: equal ones may differ. want: sequential
#pragma regraph extent(x: n) extent(kept: n) input(x: uniform(0, 5000))
int tracked_narrowed_not(const long *x, int n, long *kept)
{
    int m = 0;
    long last = x[0];
    for (int i = 1; i < n; i++)
        if ((signed char)x[i] != last) {
            kept[m++] = last;
            last = x[i];
        }
    return m;
}
