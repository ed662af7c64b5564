// Every element with every other; a pointer is compared with one of the same array. want: parallel
#include <stddef.h>
struct point {
    double x, m;
};
void ends_pairs(const struct point *b, const struct point *e, double *fx)
{
    ptrdiff_t n = e - b;
    for (const struct point *i = b; i != e; i++) {
        double f = 0;
        for (const struct point *j = b; j != e; j++) {
            if (i == j) continue;
            double d = j->x - i->x;
            f += j->m * d / (d * d + 1e-3);
        }
        fx[i - b] = f / (double)n;
    }
}
