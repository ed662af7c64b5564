// want: sequential
/* Places by an unsigned number that comes round at i = 0, 1, 2: as integers they would all be different. */
#pragma regraph size(n=6) extent(x: 6) extent(a: 6)
void turned(int n, const int *a, int *x)
{
    for (unsigned i = 0; i < 6; i++) x[(i - 3u) % 6u] = a[i] + n;
}
