#include "joined.h"
#include <math.h>
#define ORDER 4
static const real table[ORDER] = {1.0, 0.5, 0.25, 0.125};
static real sq(real x) { return x * x * x; } /* not the other one */
typedef struct { int lo, hi; } range;
static range clip(int i, int n) { range r = {i - 1 < 0 ? 0 : i - 1, i + 1 >= n ? n - 1 : i + 1}; return r; }
real gain = 1.5;
real kernel(real r, int order) { return table[order & 3] * exp(-sq(r)); }
real weight(const point *p, enum mode m) { return m == MODE_CUBIC ? sq(p->x) + p->w : p->x * p->y; }
void smooth_row(const real *in, real *out, int n)
{
    for (int i = 0; i < n; i++) {
        range r = clip(i, n);
        out[i] = (in[r.lo] + in[i] + in[r.hi]) / 3 * gain;
    }
}
static int unused_counter;
void count_up(void) { unused_counter++; }
