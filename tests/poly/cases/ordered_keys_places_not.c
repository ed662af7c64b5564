// Places that the C might not read, or that wrap around, are not compared by themselves. want: sequential
#pragma regraph size(n=600) size(n=1) size(n=2) size(n=70) extent(x: n) extent(y: n) extent(out: 5) input(x: uniform(-5, 5)) input(y: uniform(-5, 5)) input(key: permutation) input(none: uniform(-1, -1))
void ordered_keys_places_not(const int *x, const int *y, const int *key, const int *none, int n, int *out)
{
    int p = 0, q = 0, s = 0;
    unsigned char r = 0;
    for (int i = 0; i < n; i++)
        if (none[i] >= 0 && x[none[i]] < x[none[p]]) p = i;
    for (int i = 1; i < n; i++)
        if (key[i] < key[q] || (key[i] == key[q] && x[none[i]] < x[none[q]])) q = i;
    for (int i = 0; i < n; i++)
        if (x[i] < x[r] || (x[i] == x[r] && y[i] < y[r])) r = (unsigned char)i;
    for (int i = 0; i < n; i++)
        if (x[i] < x[s] || (x[i] == x[s] && y[i] < y[s])) s = (unsigned char)i;
    out[0] = p;
    out[1] = q;
    out[2] = r;
    out[3] = s;
    out[4] = n;
}
