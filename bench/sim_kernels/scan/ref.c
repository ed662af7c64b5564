void ref_scan(int n, const int *x, int *y)
{
    int s = 0;
    for (int i = 0; i < n; i++) y[i] = s += x[i];
}
