// says: null_pointer.c:8: chase crashes
// says: segmentation fault
#pragma regraph size(n=1000) extent(x: n) extent(y: n)
void chase(int n, const float *x, float *y)
{
    static volatile long nowhere = 16;
    for (int i = 0; i < n; i++)
        y[i] = x[i] + (n > 0 ? *(const float *)nowhere : 0);
}
