// A difference without a sign as a number with one: where it is below zero there are no parts and no rest. want: parallel
#pragma regraph size(n=300) size(n=1) size(n=37) extent(x: 1000) extent(a: n) extent(b: n) extent(y: n) extent(z: n)   \
    input(a: uniform(0, 300)) input(b: uniform(0, 300))
void parts_below_zero_not(const unsigned *a, const unsigned *b, int n, const float *x, float *y, int *z)
{
    for (int i = 0; i < n; i++) {
        unsigned u = a[i] - b[i];
        int left = u;
        float s = 0;
        const float *p = x;
        for (; left > 3; left -= 4, p += 4) s += p[0];
        y[i] = s;
        z[i] = left;
        while (left-- > 0) y[i] += *p++;
    }
}
