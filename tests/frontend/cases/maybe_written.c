#pragma regraph size(n=200)
/* What a loop writes that may not run is not written for certain. */
void last(int n, double *out, double *y, const double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i - 3; k++) y[0] = x[k];
        out[i] = y[0] + x[i];
    }
    for (int j = 0; j < n; j++) out[j] += 1;
}
// explain: y                inout
// explain: out              out    double
