/* unsigned arithmetic wraps; only the last value is wanted */
#pragma regraph size(n=2000000) input(text: uniform(0, 255))
unsigned hash(int n, const unsigned char text[n], unsigned long long *wide)
{
    unsigned h = 17;
    unsigned long long w = 1;
    for (int i = 0; i < n; i++) {
        h = h * 31u + text[i];
        w = (w + text[i]) * 1099511628211ull;
    }
    *wide = w;
    return h;
}
