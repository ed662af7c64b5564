// Mean, variance and skewness in one pass, by functions of the file that update a structure behind a pointer. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(v: uniform(100, 101)) input(r.n: constant(0)) input(r.m2: constant(0)) input(r.m3: constant(0))
typedef struct { long n; double mean, m2, m3, low; } running;
static void push(running *r, double x)
{
    long before = r->n++;
    double delta = x - r->mean, part = delta / r->n, term = delta * part * before;
    r->mean += part;
    r->m3 += term * part * (r->n - 2) - 3 * part * r->m2;
    r->m2 += term;
    if (x < r->low) r->low = x;
}
void describe(running *r, const double *v, int n)
{
    for (int i = 0; i < n; i++) push(r, v[i]);
}
