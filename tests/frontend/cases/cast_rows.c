/* Pointers to rows of a flat array, by casts, by arguments, through void *, moved row by row; the address of a row. */
#pragma regraph size(n=40, m=30)
typedef unsigned char byte;
static void add_row(float (*to)[30], const float (*from)[30])
{
    for (int j = 0; j < 30; j++) (*to)[j] += (*from)[j];
}
static float row_sum(const float (*r)[8], int n)
{
    float s = 0;
    while (n-- > 0) {
        for (int j = 0; j < 8; j++) s += (*r)[j];
        r++;
    }
    return s;
}
void by_casts(int n, int m, const float *x, float *y)
{
    const float(*a)[m] = (const float(*)[m])x;
    float(*b)[n] = (void *)y;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] = a[i][j];
}
void by_planes(int n, int m, const float *x, float *y)
{
    const float(*a)[n][m] = (const float(*)[n][m])x;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j] = a[0][i][j] + a[1][i][j] + a[2][i][j];
}
void padded(int n, int m, double *data)
{
    int w = m + 2;
    double(*g)[w] = (double(*)[w])data;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) g[i][j] = i + j * 0.5;
}
void row_by_row(int n, int m, const float *x, float *y)
{
    const float(*r)[m] = (const float(*)[m])x;
    for (int i = 0; i < n; i++, r++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += (*r)[j];
        y[i] = s;
    }
}
void by_arguments(int n, float *a, const float *b)
{
    float(*p)[30] = (float(*)[30])a;
    for (int i = 0; i < n; i++) add_row(&p[i], (const float(*)[30])b + i);
}
void stepped_argument(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = row_sum((const float(*)[8])(x + i * 64), 8);
}
void two_shapes(int n, float *x)
{
    float(*a)[4] = (float(*)[4])x;
    float(*c)[2][2] = (float(*)[2][2])x;
    for (int i = 0; i < n; i++) {
        float d = c[i][0][0] * c[i][1][1] - c[i][0][1] * c[i][1][0];
        for (int k = 0; k < 4; k++) a[i][k] /= d;
    }
}
void other_rows(const float a[64][48], float *o)
{
    const float(*b)[64] = (const float(*)[64])a;
    for (int i = 0; i < 48; i++) {
        float s = 0;
        for (int j = 0; j < 64; j++) s += b[i][j];
        o[i] = s;
    }
}
void other_sign(int n, const char *p, int *o)
{
    const byte(*r)[64] = (const byte(*)[64])p;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 64; j++) o[i * 64 + j] = r[i][j];
}
void length_changes(int n, const float *x, float *y)
{
    int w = 4;
    const float(*r)[w] = (const float(*)[w])x;
    w = 7;
    for (int i = 0; i < n; i++) y[i] = r[i][1] + w;
}
