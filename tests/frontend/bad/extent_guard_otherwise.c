// expect: the extent of 'x' cannot be read off
#pragma regraph size(n=100, m=50)
void otherwise(int n, int m, const int *at, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        int k = at[i] ^ i;
        if (k < m)
            y[i] = 0;
        else
            y[i] = x[k];
    }
}
