// A member that is a void pointer, and a file-scope variable that is one. want: parallel
#include <stddef.h>
#include <stdint.h>
#pragma regraph size(v_n=5000) size(v_n=1) size(v_n=77)
struct view {
    const void *data;
    int n;
};
static void *pool;

void scale(const struct view *v, float a)
{
    const uint16_t *w = v->data;
    float *p = pool;
    for (int i = 0; i < v->n; i++) p[i] = a * w[i];
}
