// A local array inside a reduction. want: parallel
#pragma regraph size(n=500,m=40) size(n=13,m=5)
double vlared(int n, int m, const double A[n][m]) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        double tmp[m];
        for (int k = 0; k < m; k++) tmp[k] = A[i][k] * A[i][k];
        for (int k = 0; k < m; k++) total += tmp[m - 1 - k] * k;
    }
    return total;
}
