#pragma regraph size(n=262144, m=5000)
#pragma regraph extent(x: n) extent(seen: m) extent(prod: m) extent(bits: m)
#pragma regraph input(x: uniform(0, m-1))
void marks(int n, int m, const int *x, unsigned char *seen, long *prod, unsigned *bits)
{
    for (int i = 0; i < n; i++) {
        seen[x[i]] = 1;
        prod[x[i]] *= 3;
        bits[x[i]] ^= 1u << (i & 31);
    }
}
