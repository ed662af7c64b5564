// function: fluid
// function: borders
// function: table
// function: diagonal
/* rows of n + 2 elements, which the code says with a product of sums */
#define N2 (n + 2)
#define IX(i, j, k) ((i) + N2 * ((j) + N2 * (k)))
static void rim(int n, float *x)
{
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            x[IX(i, j, 0)] = x[IX(i, j, 1)];
            x[IX(i, j, n + 1)] = x[IX(i, j, n)];
        }
}
#pragma regraph size(n=24, steps=3)
void fluid(int n, int steps, float a, float *x, const float *x0)
{
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k <= n; k++)
            for (int j = 1; j <= n; j++)
                for (int i = 1; i <= n; i++)
                    x[IX(i, j, k)] = x0[IX(i, j, k)] + a * (x0[IX(i - 1, j, k)] + x0[IX(i, j + 1, k)] + x0[IX(i, j, k - 1)]);
        rim(n, x);
    }
}
// explain(fluid): x is read as x[n + 2][n + 2][n + 2]
#pragma regraph size(nx=20, ny=21, nz=22)
void borders(int nx, int ny, int nz, const double *a, double *b)
{
    int sy = nz + 2, sx = (ny + 4) * sy;
    for (int i = 1; i <= nx; i++)
        for (int j = 2; j < ny + 2; j++)
            for (int k = 1; k <= nz; k++) b[i * sx + j * sy + k] = a[i * sx + (j - 2) * sy + k + 1] - a[(i - 1) * sx + (j + 1) * sy + k];
}
// explain(borders): b is read as b[nx + 1][ny + 4][nz + 2]
#pragma regraph size(n=20, m=30)
int table(const char *a, int n, const char *b, int m, int *t)
{
    int w = m + 1;
    for (int i = 0; i <= n; i++) t[i * w] = i;
    for (int j = 1; j <= m; j++) t[j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int up = t[(i - 1) * w + j] + 1, left = t[i * w + j - 1] + 1, both = t[(i - 1) * w + j - 1] + (a[i - 1] != b[j - 1]);
            int least = up < left ? up : left;
            t[i * w + j] = both < least ? both : least;
        }
    return t[n * w + m];
}
// explain(table): t is read as t[n + 1][m + 1]
#pragma regraph size(n=20)
void diagonal(int n, float *a)
{
    for (int i = 0; i < n; i++) a[i * n + i] += 1.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] *= 2.0f;
}
// explain(diagonal): a is read as a[n][n]
