// Unsigned differences that come round: `i - 1 >= n` holds of i = 0, too, whose element is the row's before. want: parallel
#pragma regraph size(n=100,m=200,rows=50) size(n=3,m=9,rows=7) size(n=1,m=4,rows=2) extent(y: rows, m) extent(z: rows, m) extent(x: m)
void unsigned_round(unsigned n, unsigned m, int rows, const float *z, float *y, float *x)
{
    float t[256] = {0};
    for (int r = 0; r < rows; r++) {
        for (unsigned j = n + 1; j < m; j++) t[j] = z[r * m + j];
        for (unsigned i = 0; i < m; i++)
            y[r * m + i] = i - 1u >= n ? t[i] + 1 : 0;
        t[0] = z[r * m];
    }
    for (unsigned i = 0; i < m; i++)
        if (i - 1u >= n)
            x[i] = i > n ? 5 : 7;
        else
            x[i] = i - 1u < n && i ? 1 : 2;
}
