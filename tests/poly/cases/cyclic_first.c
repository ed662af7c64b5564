// The test in front of the work, the step behind it; unsigned numbers; twice as many rows each time. want: parallel
#pragma regraph size(n=30000,w=640) size(n=77,w=5) size(n=40,w=1) size(n=2,w=9) extent(x: n) extent(y: n)
void cyclic_first(unsigned long n, unsigned w, const float *x, float *y, unsigned long *last)
{
    unsigned c = 0;
    unsigned long r = 7;
    for (unsigned long i = 2; i < n; i++) {
        if (c >= w) {
            r += 2;
            c = 0;
            y[i] = 1;
        } else
            y[i] = 2;
        y[i] += x[i] * c + r;
        c += 1;
    }
    *last = r * 100000 + c;
}
