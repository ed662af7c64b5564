// Sums and a box that functions update as wholes. want: parallel
#include <math.h>
typedef struct { double x, y, z; } vec;
typedef struct { vec lo, hi; int n; } box;
static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec scale(vec a, double k)
{
    a.x *= k;
    a.y *= k;
    a.z *= k;
    return a;
}
static double length(vec a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
static box grow(box b, vec p)
{
    if (isnan(p.x))
        return b;
    if (p.x < b.lo.x) b.lo.x = p.x;
    if (p.y < b.lo.y) b.lo.y = p.y;
    b.lo.z = p.z < b.lo.z ? p.z : b.lo.z;
    if (p.x > b.hi.x) b.hi.x = p.x;
    if (p.y > b.hi.y) b.hi.y = p.y;
    if (p.z > b.hi.z) b.hi.z = p.z;
    b.n += 1;
    return b;
}
vec whole_update_sum(const vec *p, const double *w, int n, box *out)
{
    vec s = {0, 0, 0};
    box b = {p[0], p[0], 0};
    for (int i = 0; i < n; i++) {
        s = add(s, scale(p[i], w[i] * length(p[i])));
        b = grow(b, p[i]);
    }
    *out = b;
    return s;
}
