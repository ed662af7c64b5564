// want: sequential
// Data lead the step from one element to the next: where it ends is a place in one of two arrays.
#pragma regraph size(n=997) extent(a: n) extent(b: n) input(a: uniform(0, n-1)) input(b: uniform(0, n-1))
const int *last(const int *a, const int *b, int n)
{
    int at = 0;
    for (int i = 0; i < n; i++) at = i & 1 ? a[at] : b[at];
    return at & 1 ? a + at : &b[at];
}
