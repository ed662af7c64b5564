// Elements are changed, then those that stay move to the front, unless they are there; the others are listed. want: parallel
#include <stddef.h>
struct particle {
    float pos[3], vel[3], life;
    unsigned id;
};
static int outside(const struct particle *p, const float *lo, const float *hi)
{
    for (int d = 0; d < 3; d++)
        if (p->pos[d] < lo[d] || p->pos[d] > hi[d]) return 1;
    return 0;
}
#pragma regraph size(n=700) size(n=9) extent(gone: n)
size_t lists_updated_first(struct particle *ps, size_t n, float dt, const float lo[3], const float hi[3], unsigned *gone)
{
    struct particle *to = ps;
    size_t dead = 0;
    for (struct particle *p = ps; p < ps + n; p++) {
        for (int d = 0; d < 3; d++) p->pos[d] += p->vel[d] * dt;
        p->life -= dt;
        if (p->life <= 0.0f || outside(p, lo, hi)) {
            gone[dead++] = p->id;
            continue;
        }
        if (to != p) *to = *p;
        to++;
    }
    return to - ps;
}
