#include <stdlib.h>
#include <math.h>
/* globals, the way a course hands them out */
int width, height, maxd;
unsigned char *left_img, *right_img;
int *cost;
void load(int w, int h, int d, unsigned char *l, unsigned char *r) { width = w; height = h; maxd = d; left_img = l; right_img = r; }
void match(unsigned char *disp)
{
    int x, y, d;
    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++) {
            int best = 1 << 30, arg = 0;
            for (d = 0; d < maxd; d++) {
                int xx = x - d;
                if (xx < 0) xx = 0;
                int c = abs((int)left_img[y * width + x] - (int)right_img[y * width + xx]);
                cost[y * width + x] += c;
                if (c < best) { best = c; arg = d; }
            }
            disp[y * width + x] = (unsigned char)arg;
        }
    }
}
void disparity(int w, int h, int d, unsigned char *l, unsigned char *r, unsigned char *disp, int *total)
{
    int i;
    load(w, h, d, l, r);
    cost = (int *)calloc(width * height, sizeof(int));
    match(disp);
    for (i = 0; i < width * height; i++) total[i] = cost[i];
    free(cost);
}
