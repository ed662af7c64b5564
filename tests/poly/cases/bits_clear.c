// Whoever has the bits clear and the one that has them set: no other iteration's. want: parallel
// chain: parallelize@C
// lacks: one thread: loop
#pragma regraph size(n=1000, bits=6) size(n=37, bits=5) extent(x: n + 63) require(bits < 64) require(0 <= bits)
void bits_clear(int n, int bits, int *x)
{
    for (int i = 0; i < n; i++)
        if ((i & bits) == 0) {
            int sum = x[i] + x[i | bits];
            x[i ^ bits] = x[i] - x[i | bits];
            x[i] = sum;
        }
}
