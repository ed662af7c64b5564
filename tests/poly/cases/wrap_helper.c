// want: parallel
// chain: parallelize@C,coalesce@C
// Directions written out over flat arrays, a helper that chooses; then one that takes remainders twice, with a table.
#pragma regraph size(nx=48, ny=20) size(nx=17, ny=5) size(nx=1, ny=1)
static int wrap(int x, int n) { return x < 0 ? x + n : x >= n ? x - n : x; }
static int around(int x, int n) { return (x % n + n) % n; }
static const int shift[3] = {1, 0, -2};
void push(int nx, int ny, const float *f, float *right, float *up, float g[3][nx])
{
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            right[y * nx + wrap(x + 1, nx)] = 0.5f * f[y * nx + x];
            up[(y + ny - 1) % ny * nx + x] = 0.25f * f[y * nx + x];
        }
    for (int k = 0; k < 3; k++)
        for (int x = 0; x < nx; x++) g[k][around(x - shift[k], nx)] = f[x] + k;
}
