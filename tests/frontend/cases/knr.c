/* K&R definition, comma loops, declarations at the top, reused scalars */
#pragma regraph size(n=300)
void old(n, x, y, a)
int n;
double *x, *y;
double a;
{
    register int i, j;
    double t, s;
    for (i = 0, j = n - 1; i < n; i++, j--) {
        t = x[i] * a;
        y[j] = t + 1.0;
    }
    s = 0.0;
    for (i = 0; i < n; i++) {
        t = y[i];
        s = s + t * t;
    }
    for (i = 0; i < n; i++)
        y[i] = y[i] / s;
}
// not: opaque parts
