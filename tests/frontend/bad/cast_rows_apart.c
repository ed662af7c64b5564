// expect: a flat pointer is read as an array of another shape
/* rows behind pointers are no piece of memory */
#pragma regraph size(n=30, m=20)
void flatten(int n, int m, float **t, float *y)
{
    const float *p = (const float *)t;
    for (int i = 0; i < n * m; i++) y[i] = p[i];
}
