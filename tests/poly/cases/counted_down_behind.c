// while (n-- > 0) and while (m--) of bodies that don't ask for them; behind, they are what they are. want: parallel
#pragma regraph size(n=900,m=30) size(n=7,m=2) extent(x: n)
void counted_down_behind(float *x, int n, unsigned m, const float *w, int *left, unsigned *rest)
{
    float *p = x, s = 0;
    int k = n;
    while (k-- > 0) *p++ *= 2.0f;
    *left = k;
    k = -5;
    while (k-- > 0) s += 1;
    left[1] = k;
    while (m--) s += *w++;
    *rest = m;
    x[0] += s;
}
