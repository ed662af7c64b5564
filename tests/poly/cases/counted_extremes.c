// The closest pair, and how many pairs are as close. want: parallel
// chain: reduce.block@loop:i
typedef struct {
    double x, y;
} point_t;
#pragma regraph size(n = 700) size(n = 1) size(n = 2) size(n = 37) input(p : uniform(0, 20))
void closest(const point_t *p, int n, double *least, int *pair, int *ties)
{
    double best = 1e30;
    int first = -1, second = -1, equal = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double dx = (int)p[j].x - (int)p[i].x, dy = (int)p[j].y - (int)p[i].y;
            const double d = dx * dx + dy * dy;
            if (d < best) {
                best = d;
                first = i;
                second = j;
                equal = 1;
            } else if (best == d)
                ++equal;
        }
    *least = best;
    pair[0] = first;
    pair[1] = second;
    *ties = equal;
}
