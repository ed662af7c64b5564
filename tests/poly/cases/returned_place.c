// want: parallel
// A function that returns a pointer into its array, or NULL: the result is the place.
#pragma regraph size(n=20011) input(a: uniform(0, 100000)) input(t: constant(99990))
int *first_above(int *a, int n, int t)
{
    for (int *p = a; p < a + n; p++)
        if (*p > t) return p;
    return 0;
}
