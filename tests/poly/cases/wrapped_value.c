// Two values of the iterations before, the first of them set by nobody, and by way of a local. want: parallel
#pragma regraph size(n=300) size(n=17) size(n=2)
void bend(int n, const double *x, double *y, double *last)
{
    double before = 0, prev;
    for (int i = 0; i < n; i++) {
        double now = x[i] * 0.5;
        y[i] = i > 1 ? now - 2 * prev + before : now;
        if (i > 0) before = prev;
        else before = 0.25;
        prev = now;
    }
    *last = before;
}
