// The same along an array that has rows elsewhere: loops over it stay nests. want: parallel
#pragma regraph size(n=30,m=20) size(n=1,m=1) size(n=3,m=5) extent(x: n*m) extent(y: n*m+1)
void product_shifted_not(int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j + 1] = 2.0 * x[i * m + j];
    for (int c = 0; c < n * m; c++) y[c + 1] += x[c];
}
