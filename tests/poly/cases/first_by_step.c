// What the first one stores, asked on the counter's way: if (bad++ == 0), !seen++, and the last test in an and. want: parallel
// chain: reduce.block@loop:i
#pragma regraph size(n=5000) size(n=1) input(x: uniform(0, 40))
unsigned faults(int n, const int *x, int *first, int *low, int *high, float *of, const float *v)
{
    unsigned bad = 0, seen = 0;
    int more = 0;
    *first = *low = *high = -1;
    for (int i = 0; i < n; i++) {
        if (x[i] > 33) {
            if (bad++ == 0) {
                *first = i;
                *of = v[i];
            }
        } else if (x[i] < 3) {
            if (!seen++) *low = i;
        } else if (x[i] == 17 && more++ == 0)
            *high = i;
    }
    return bad + 3 * seen + 5 * (unsigned)more;
}
