// Equal by another measure than the first, keys that are not of what is kept, and a loop that does more. want: sequential
#pragma regraph size(n=600) size(n=1) size(n=2) size(n=70) input(x: uniform(-5, 5)) input(y: uniform(-5, 5)) extent(out: 4)
void ordered_keys_not(const int *x, const int *y, int n, int *out)
{
    int p = 0, q = 0, r = 0, many = 0;
    for (int i = 1; i < n; i++)
        if (x[i] < x[p] || (x[i] / 2 == x[p] / 2 && y[i] < y[p])) p = i;
    for (int i = 1; i < n; i++)
        if (x[i] < y[q] || (x[i] == y[q] && y[i] < x[q])) q = i;
    for (int i = 1; i < n; i++)
        if (x[i] <= x[r] || (x[i] == x[r] && y[i] < y[r])) {
            r = i;
            many = many / 2 + i;
        }
    out[0] = p;
    out[1] = q;
    out[2] = r;
    out[3] = many;
}
