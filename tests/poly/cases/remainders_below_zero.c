// Data without a sign as numbers with one, in places: remainders and quotients of these are below zero. want: parallel
#pragma regraph size(n=300) size(n=1) size(n=37) extent(y: 64) extent(u: n) extent(z: n) input(u: uniform(0, 4000000000))
void remainders_below_zero(const unsigned *u, int n, const int *y, int *z)
{
    for (int i = 0; i < n; i++) {
        unsigned v = u[i];
        int s = (int)v;
        z[i] = (int)(v >> 9);
        z[i] += y[s % 8 + 8] + y[s / 100000000 + 22];
    }
}
