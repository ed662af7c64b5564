// Places in reverse, exchanged by a function that takes their addresses. want: parallel
// chain: parallelize@C
// lacks: one thread: loop
struct z { double re, im; };
static void exchange(struct z *a, struct z *b) { struct z t = *a; *a = *b; *b = t; }
#pragma regraph size(n=1024) size(n=8) size(n=2)
void reversed_by_function(struct z *x, unsigned n)
{
    unsigned j = 0;
    for (unsigned i = 1; i < n; i++) {
        unsigned bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) exchange(&x[i], &x[j]);
    }
}
