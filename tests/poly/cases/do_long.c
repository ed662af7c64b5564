// A counter wider than its bound, that may begin beyond it: the loop runs once. want: parallel
// chain: parallelize@C
#pragma regraph size(n=300) size(n=5) extent(x: n) extent(o: n) input(x: uniform(-9, 9))
void once(int n, const long *x, long *o)
{
    for (int i = 0; i < n; i++) {
        long w = x[i] < 0 ? 3000000000 + x[i] : x[i];
        do {
            o[i] += w % 7 + 1;
            w += 1;
        } while (w < n);
        o[i] += w;
    }
}
