#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define NTHETA 180
static float costab[NTHETA], sintab[NTHETA];
static int have_tables;
static void init_tables(void) {
    for (int t = 0; t < NTHETA; t++) {
        costab[t] = cosf(t * 3.14159265f / NTHETA);
        sintab[t] = sinf(t * 3.14159265f / NTHETA);
    }
    have_tables = 1;
}
static void vote(int *acc, int nrho, int x, int y, float scale)
{
    if (!have_tables) init_tables();
    for (int t = 0; t < NTHETA; t++) {
        int r = (int)((x * costab[t] + y * sintab[t]) * scale) + nrho / 2;
        if (r >= 0 && r < nrho) acc[t * nrho + r]++;
    }
}
void hough(const unsigned char *edge, int w, int h, int nrho, int *acc)
{
    for (int i = 0; i < NTHETA * nrho; i++) acc[i] = 0;
    float scale = nrho / (2.0f * sqrtf((float)(w * w + h * h)));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (edge[y * w + x] > 128) vote(acc, nrho, x, y, scale);
}
int main(void)
{
    int w = 320, h = 200, nr = 400;
    unsigned char *e = malloc(w * h); int *a = malloc(NTHETA * nr * sizeof *a);
    for (int i = 0; i < w * h; i++) e[i] = (i % 37 == 0) ? 255 : 0;
    hough(e, w, h, nr, a);
    printf("%d\n", a[1000]);
    return 0;
}
