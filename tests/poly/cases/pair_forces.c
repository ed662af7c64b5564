// Each pair adds to both of its particles and to sums of energy and virial, all pairs and those of a list. want: parallel
#pragma regraph size(n=300,m=3000) size(n=20,m=60) extent(start: n + 1) extent(list: m) input(start: prefix(m)) input(list: uniform(0, n - 1))
#pragma regraph tolerance(rtol=1e-6)
typedef struct { double x, y; } vec;
void pair_forces(int n, int m, const vec r[n], const int *start, const int *list, vec f[n], vec g[n], double sums[3])
{
    double e = 0, w = 0, l = 0;
    for (int i = 0; i < n; i++) f[i].x = f[i].y = g[i].x = g[i].y = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = r[i].x - r[j].x, dy = r[i].y - r[j].y, r2 = dx * dx + dy * dy;
            if (r2 < 0.3) {
                double ff = 1 - r2;
                f[i].x += ff * dx;
                f[i].y += ff * dy;
                f[j].x -= ff * dx;
                f[j].y -= ff * dy;
                e += ff;
                w += ff * r2;
            }
        }
    for (int i = 0; i < n; i++) {
        double sx = 0, sy = 0;
        for (int k = start[i]; k < start[i + 1]; k++) {
            int j = list[k];
            double dx = r[i].x - r[j].x, dy = r[i].y - r[j].y, r2 = dx * dx + dy * dy;
            if (r2 > 0.3) continue;
            sx += dx * r2;
            sy += dy * r2;
            g[j].x -= dx * r2;
            g[j].y -= dy * r2;
            l += r2;
        }
        g[i].x += sx;
        g[i].y += sy;
    }
    sums[0] = e;
    sums[1] = w;
    sums[2] = l;
}
