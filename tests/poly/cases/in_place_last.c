// The same into another array, by what was stored last. want: parallel
#pragma regraph extent(x: n) extent(out: n) input(x: uniform(0, 2))
int in_place_last(const int *x, int n, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (k == 0 || x[i] != out[k - 1])
            out[k++] = x[i];
    return k;
}
