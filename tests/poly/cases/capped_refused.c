// More than fit are an error. want: parallel
// chain: scan.block
#pragma regraph size(n=3000, cap=1500) size(n=300, cap=10) size(n=9, cap=9)
int capped_refused(const float *x, const float *y, int n, float r2, int *idx, int cap)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] * x[i] + y[i] * y[i] > r2) {
            if (k == cap)
                return -1;
            idx[k++] = i;
        }
    }
    return k;
}
