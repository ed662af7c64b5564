int rows(int r, int c, const double *a, double *out)
{
    for (int i = 0; i < r; i++) {
        double s = 0;
        for (int j = 0; j < c; j++) { if (a[i*c+j] < 0) return i+1; s += a[i*c+j]; }
        out[i] = s;
    }
    return 0;
}
