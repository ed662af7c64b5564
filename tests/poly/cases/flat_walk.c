// want: parallel
/* Rows by a cast, and the same memory in one piece, in one function: what the rows write is what the pointer reads. */
#pragma regraph size(n=200, m=150) size(n=11, m=9) extent(x: n*m) extent(y: n*m)
static void smooth(int n, int m, const float (*a)[m], float (*b)[m])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
static void scale(float *v, int n, float s)
{
    for (int i = 0; i < n; i++) v[i] *= s;
}
void both(int n, int m, float *x, float y[n][m], float s)
{
    smooth(n, m, (const float (*)[m])x, y);
    scale(&y[0][0], n * m, s);
    smooth(n, m, y, (void *)x);
    scale(*y, n * m, 0.5f);
}
