#pragma regraph size(n=1000,b=40) size(n=8,b=31) size(n=7,b=32) size(n=5,b=63) size(n=2,b=64) size(n=4,b=70) extent(y: n) extent(x: n) extent(z: n) input(x: uniform(0, 2000000000))
void unsig(int n, int b, const unsigned *x, unsigned *y, int *z)
{
    for (int i = 0; i < n; i++) {
        unsigned r = 0, u = x[i], w = x[i];
        int m = 0;
        for (int k = 0; k < b; k++) { r = r << 1 | (u % 2); u /= 2; }
        for (int k = 0; k < b; k++) { m = m << 1 | (w & 1); w >>= 1; }
        y[i] = r;
        z[i] = m;
    }
}
