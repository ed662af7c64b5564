// function: settle
// function: forces
// function: weights
#include <string.h>
/* static scratch, and whole grids set and copied by name */
#define H 12
#define W 20
typedef int grid[H][W];
int settle(grid g)
{
    static grid next;
    int rounds = 0, unstable = 1;
    while (unstable && rounds < 5) {
        unstable = 0;
        memcpy(next, g, sizeof(grid));
        for (int i = 1; i < H - 1; i++)
            for (int j = 1; j < W - 1; j++)
                if (g[i][j] >= 40) {
                    unstable = 1;
                    next[i][j] -= 4;
                    next[i - 1][j] += 3;
                    next[i][j + 1]++;
                }
        memcpy(g, next, sizeof next);
        rounds++;
    }
    return rounds;
}
// explain(settle): next[k_3][k_4] = g[
/* structures set to zero */
typedef struct { float x, y; struct { int n; } at; } cell;
#pragma regraph size(n=20, m=50) extent(f: n)
void forces(int n, int m, const int *a, const float *w, cell *f)
{
    memset(f, 0, n * sizeof *f);
    for (int i = 0; i < m; i++) {
        f[a[i]].x += w[i];
        f[a[i]].at.n++;
    }
}
// explain(forces): f[k].at.n = 0
/* a static table that is written keeps its initialiser */
#pragma regraph size(n=20)
void weights(int n, const float *x, float *y)
{
    static float w[3] = {1, 2, 1};
    w[1] = x[0] + 2;
    for (int i = 1; i < n - 1; i++) y[i] = w[0] * x[i - 1] + w[1] * x[i] + w[2] * x[i + 1];
}
