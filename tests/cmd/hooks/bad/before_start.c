// says: before_start.c:8: gather touches memory out of bounds
// says: it reads x[-1], outside its extent
#pragma regraph size(n=1000) extent(x: n) input(at: uniform(0, n-1))
void gather(int n, const int *at, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        int k = at[i] - 1;
        y[i] = x[k];
    }
}
