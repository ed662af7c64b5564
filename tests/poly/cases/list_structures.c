// A list of structures outside of all loops, members left out: threads have its values. want: parallel
struct corner { double x, y; int id; };
#pragma regraph size(n=1000) size(n=5) extent(p: n) extent(near: n)
void list_structures(int *near, const struct corner *p, int n, double far)
{
    const struct corner corners[4] = {{0.25, 0.5, 7}, {-0.5, .id = 3}, {far, far, 2}, {0}};
    for (int i = 0; i < n; i++) {
        double least = 1e300;
        int best = -1;
        for (int k = 0; k < 4; k++) {
            double dx = p[i].x - corners[k].x, dy = p[i].y - corners[k].y, d2 = dx * dx + dy * dy;
            if (d2 < least) {
                least = d2;
                best = corners[k].id;
            }
        }
        near[i] = best;
    }
}
