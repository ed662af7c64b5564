// expect: as many as no set-up function says that can be followed
// two of the structures share an array: its elements are no parameters of their own
// function: step
#include <stdlib.h>
struct part { int n; float *x, *halo; };
static struct { struct part *p; } all;
void open_all(void)
{
    all.p = malloc(2 * sizeof *all.p);
    for (int i = 0; i < 2; i++) {
        all.p[i].n = 100;
        all.p[i].x = malloc(100 * sizeof(float));
    }
    all.p[0].halo = all.p[1].x;
    all.p[1].halo = all.p[0].x;
}
#pragma regraph init(open_all)
void step(float *out)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < all.p[i].n; j++) all.p[i].x[j] += all.p[i].halo[j];
    for (int j = 0; j < 100; j++) out[j] = all.p[0].x[j];
}
