int normalise(int n, const double *x, const double *y, double *out)
{
    for (int i = 0; i < n; i++) {
        if (y[i] == 0.0) return -1;
        out[i] = x[i] / y[i];
    }
    return 0;
}
