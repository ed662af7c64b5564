/* A drum skin: its set-up returns an error code, takes memory through a helper and makes members of others; the step
   refuses a skin of another size. */
#include <math.h>
#include <stdlib.h>

typedef struct membrane {
    int width, height;
    int stride, cells;
    double *now, *before, *after;
    double c2, damping;
    int steps_done;
} membrane;

#define AT(d, x, y) ((y) * (d)->stride + (x))

static double *cells_of(size_t n)
{
    double *p = calloc(n, sizeof *p);
    return p;
}

int membrane_open(membrane *skin, int width, int height)
{
    skin->width = width;
    skin->height = height;
    skin->stride = skin->width + 2;
    skin->cells = skin->stride * (skin->height + 2);
    skin->now = cells_of(skin->cells);
    skin->before = cells_of(skin->cells);
    skin->after = cells_of(skin->cells);
    if (!skin->now || !skin->before || !skin->after) return -1;
    skin->c2 = 0.2;
    skin->damping = 0.999;
    skin->steps_done = 0;
    for (int y = 1; y <= height; y++)
        for (int x = 1; x <= width; x++) {
            double u = (x - 0.4 * width) / width, v = (y - 0.6 * height) / height;
            skin->now[AT(skin, x, y)] = skin->before[AT(skin, x, y)] = exp(-40 * (u * u + v * v));
        }
    return 0;
}

/* sound[]: the skin at one place, a sample each step */
int membrane_play(membrane *drum, int width, int height, int steps, double *sound)
{
    if (drum->width != width || drum->height != height) return -1;
    for (int s = 0; s < steps; s++) {
        for (int y = 1; y <= drum->height; y++)
            for (int x = 1; x <= drum->width; x++) {
                int i = AT(drum, x, y);
                double lap = drum->now[i - 1] + drum->now[i + 1] + drum->now[i - drum->stride] +
                             drum->now[i + drum->stride] - 4 * drum->now[i];
                drum->after[i] = drum->damping * (2 * drum->now[i] - drum->before[i] + drum->c2 * lap);
            }
        for (int y = 1; y <= drum->height; y++)
            for (int x = 1; x <= drum->width; x++) {
                int i = AT(drum, x, y);
                drum->before[i] = drum->now[i];
                drum->now[i] = drum->after[i];
            }
        drum->steps_done++;
        sound[s] = drum->now[AT(drum, width / 3 + 1, height / 3 + 1)];
    }
    return drum->steps_done;
}
