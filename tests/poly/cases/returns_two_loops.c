// want: parallel
/* Two loops that may end the function, each with loops of its own inside. */
#pragma regraph size(m=60, n=50) input(a: uniform(1, 2))
int normalise(int m, int n, double a[m][n], double *scale)
{
    int i, j;
    for (i = 0; i < m; i++) {
        double s = 0;
        for (j = 0; j < n; j++) s += a[i][j];
        if (s == 0) return 1 + i;
        for (j = 0; j < n; j++) a[i][j] /= s;
    }
    for (j = 0; j < n; j++) {
        double s = 0;
        for (i = 0; i < m; i++) s += a[i][j];
        if (s == 0) return -1 - j;
        scale[j] = 1 / s;
    }
    return 0;
}
