// Extremes of those that fulfil a further condition, without places. want: parallel
#pragma regraph size(n=50000) size(n=1) size(n=300) input(ok: uniform(0, 1))
void extremes(const double *x, const int *ok, int n, double *top, double *low, int *at)
{
    double m = -1e300, l = 1e300, far = -1;
    int where = -1;
    for (int i = 0; i < n; i++) {
        if (ok[i] && x[i] > m) m = x[i];
        l = !ok[i] || l <= x[i] ? l : x[i];
        if (ok[i] == 0 && x[i] * x[i] > far) far = x[i] * x[i], where = i;
    }
    *top = m;
    *low = l;
    *at = where;
}
