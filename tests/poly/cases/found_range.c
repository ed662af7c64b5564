// The range of what lies above a threshold, the first of which sets both ends; and of all, by the iteration's number. want: parallel
#pragma regraph size(n=50000) size(n=1) size(n=300) input(x: uniform(-1, 1))
int range(const double *x, int n, double *lo, double *hi, double *all)
{
    int k = 0;
    double a = 0, b = 0, least = 0;
    for (int i = 0; i < n; i++) {
        if (i == 0 || x[i] < least) least = x[i];
        if (x[i] < 0.25) continue;
        if (k == 0) {
            a = b = x[i];
        } else {
            if (x[i] < a) a = x[i];
            if (x[i] > b) b = x[i];
        }
        k++;
    }
    *lo = a;
    *hi = b;
    *all = least;
    return k;
}
