// a table that is searched by halves, or interpolated in, ascends; heaps and pivots do not
// function: between
// function: locate
// function: steps
// function: heap
// function: pivot
// function: own
// explain(between): xp               in     double[np]  (extent read off the accesses)  input sorted(-1, 1)
// explain(locate): input sorted(-1, 1)
// explain(steps): input sorted(-1, 1)
// not(heap): sorted
// not(pivot): sorted
// not(own): sorted
void between(const double *xp, const double *fp, int np, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        if (x[i] <= xp[0]) {
            y[i] = fp[0];
            continue;
        }
        if (x[i] >= xp[np - 1]) {
            y[i] = fp[np - 1];
            continue;
        }
        int lo = 0, hi = np - 1;
        while (hi - lo > 1) {
            int mid = (lo + hi) / 2;
            if (xp[mid] > x[i])
                hi = mid;
            else
                lo = mid;
        }
        double t = (x[i] - xp[lo]) / (xp[hi] - xp[lo]);
        y[i] = fp[lo] + t * (fp[hi] - fp[lo]);
    }
}
#pragma regraph extent(xx: n)
void locate(const float *xx, unsigned n, const float *x, unsigned m, unsigned *at)
{
    for (unsigned i = 0; i < m; i++) {
        unsigned lower = 0, upper = n - 1;
        while (upper - lower > 1) {
            unsigned middle = (upper + lower) >> 1;
            if (x[i] >= xx[middle])
                lower = middle;
            else
                upper = middle;
        }
        at[i] = lower;
    }
}
#pragma regraph extent(xs: n) extent(ys: n)
void steps(const double *xs, const double *ys, int n, const double *x, int m, double *y)
{
    for (int i = 0; i < m; i++) {
        int k = 0;
        while (k < n - 2 && x[i] > xs[k + 1]) k++;
        y[i] = ys[k] + (ys[k + 1] - ys[k]) * (x[i] - xs[k]) / (xs[k + 1] - xs[k]);
    }
}
void heap(const double *x, int n, int *is)
{
    *is = 1;
    for (int i = 1; i < n; i++) {
        int parent = (i - 1) / 2;
        if (x[parent] < x[i]) *is = 0;
    }
}
#pragma regraph extent(x: n)
void pivot(const double *x, int n, const int *from, const int *to, int m, int *count)
{
    for (int k = 0; k < m; k++) {
        int lo = from[k] % n, hi = to[k] % n, mid = (lo + hi) / 2, c = 0;
        for (int i = lo; i < hi; i++)
            if (x[i] < x[mid]) c++;
        count[k] = c;
    }
}
/* rates of what may rise and fall */
void own(const double *x, const double *y, int n, double *rate)
{
    for (int i = 1; i < n; i++) rate[i] = y[i] > 0 ? (y[i] - y[i - 1]) / (x[i] - x[i - 1]) : 0;
}
