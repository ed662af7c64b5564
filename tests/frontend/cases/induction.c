#pragma regraph size(n=30, m=40)
void pack(int n, int m, const float *a, float *b, float *c)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[k++] = a[i * m + j];
    float *p = c;
    const float *q = a;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            *p++ = 2 * *q++;
    }
}
// explain: b is read as b[n][m]
// explain: c is read as c[n][m]
// not: opaque parts
