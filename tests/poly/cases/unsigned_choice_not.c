// want: sequential
/* One place of two by an unsigned difference that comes round at i = 0, in this order and in any that is made of it. */
#pragma regraph size(n=60) extent(x: n+4) extent(a: n)
void choice(unsigned n, const int *a, int *x)
{
    for (unsigned i = 0; i < n; i++) x[i - 1u >= n ? 3u : i] = a[i];
}
