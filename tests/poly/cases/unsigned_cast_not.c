// want: sequential
/* (unsigned)(i - 1) is no i - 1 at i = 0. */
#pragma regraph size(n=60) extent(x: n+4) extent(a: n)
void converted(int n, const int *a, int *x)
{
    for (int i = 0; i < n; i++) x[(unsigned)(i - 1) < (unsigned)n ? i : 3] = a[i];
}
