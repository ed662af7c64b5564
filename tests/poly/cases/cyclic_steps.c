// By numbers: 4 up to 76, as of lines of a text; 5 and more up to 12, which it passes. want: parallel
#pragma regraph size(n=30000) size(n=19) size(n=18) size(n=1) extent(x: n) extent(y: n)
void cyclic_steps(long n, const float *x, float *y, int *last)
{
    unsigned col = 0;
    int part = 0, parts = 0;
    for (long i = 0; i < n; i++) {
        y[i] = x[i] * col;
        if ((col += 4) == 76) {
            y[i] += 1;
            col = 0;
        }
    }
    for (long i = 0; i < n; i++) {
        part += 5;
        y[i] += part * parts;
        if (part >= 12) part = 0, parts -= 3;
    }
    parts = 0;
    for (long i = 1; i + 2 < n; i += 3) { /* by threes */
        y[i] += parts;
        if (++parts == 7) parts = 0;
    }
    *last = (int)col * 1000 + part + parts;
}
