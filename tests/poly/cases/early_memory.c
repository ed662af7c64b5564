// Memory behind members that a condition allocates, used behind it: it is declared in front. want: parallel
#include <stdlib.h>
typedef struct { int w; float *px; } row;
static int row_new(row *p, int w)
{
    if (w < 2) return -1;
    p->w = w;
    p->px = malloc(sizeof *p->px * (size_t)w);
    return p->px ? 0 : -1;
}
#pragma regraph size(w=400) size(w=5) size(w=3) size(w=1) extent(out: w)
int early_memory(int w, float *out)
{
    row a = {0}, b = {0};
    int rc = -1;
    if (w > 4 && row_new(&a, w)) goto done;
    for (int x = 0; x < a.w; x++) a.px[x] = out[x] * 2;
    if (row_new(&b, w) || b.w < 3) goto done;
    for (int x = 0; x < b.w; x++) b.px[x] = x;
    for (int x = 1; x < a.w; x++) out[x] = a.px[x - 1] + b.px[x];
    rc = 0;
done:
    free(a.px);
    free(b.px);
    return rc;
}
