// One of several planes may not be got, as functions of the file say by a code: what follows is known. want: parallel
#include <stdlib.h>
typedef struct { int w, h; float *px; } plane;
static int plane_new(plane *p, int w, int h)
{
    p->w = w;
    p->h = h;
    p->px = malloc(sizeof *p->px * (size_t)w * h);
    return p->px ? 0 : -1;
}
static int checked(plane *p, int w, int h)
{
    if (w < 2) return 1;
    p->w = w;
    p->h = h;
    p->px = malloc((size_t)w * h * sizeof(float));
    return p->px == NULL;
}
#pragma regraph size(w=40,h=30) size(w=3,h=5) size(w=1,h=4) extent(gray: w*h) extent(out: w*h)
int codes_either(const unsigned char *gray, int w, int h, float *out)
{
    plane a = {0}, b = {0}, c = {0};
    int rc = -1;
    if (plane_new(&a, w, h) < 0 || plane_new(&b, w, h) || checked(&c, w, h)) goto done;
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) a.px[(size_t)y * a.w + x] = gray[(size_t)y * w + x];
    for (int y = 0; y < b.h; y++)
        for (int x = 0; x < b.w; x++) b.px[(size_t)y * b.w + x] = 2 * a.px[(size_t)y * a.w + (x ? x - 1 : 0)];
    for (int y = 0; y < c.h; y++)
        for (int x = 0; x < c.w; x++) c.px[(size_t)y * c.w + x] = b.px[(size_t)(y ? y - 1 : 0) * b.w + x];
    for (int y = 0; y < c.h; y++)
        for (int x = 0; x < c.w; x++) out[(size_t)y * w + x] = c.px[(size_t)y * c.w + x] + a.px[(size_t)y * a.w + x];
    rc = 0;
done:
    free(a.px);
    free(b.px);
    free(c.px);
    return rc;
}
