// The same member of the element before, or a member as a whole of which it is a part: in order. want: sequential
struct interval { double lo, hi; };
struct item { int id; struct interval z, w; };
#pragma regraph extent(a: n) extent(b: n) size(n=900) size(n=7) size(n=1)
void chained(struct item *a, struct item *b, int n)
{
    for (int i = 1; i < n; i++) {
        struct interval half = {a[i - 1].z.lo * 0.5, 1};
        a[i].z = half;
        b[i].w.hi = b[i - 1].z.lo * 0.5;
        b[i].z = b[i - 1].w;
    }
}
