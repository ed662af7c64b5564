// Linked lists of cells, and displacements from -1 on: each cell has its share of two sums. want: parallel
#pragma regraph size(n=600,nc=6) size(n=20,nc=3) size(n=1,nc=1) extent(head: nc*nc) extent(next: n) tolerance(rtol=1e-6)
#pragma regraph input(x: uniform(0, 1)) input(y: uniform(0, 1))
void cell_forces(int n, int nc, const double *x, const double *y, int *head, int *next, double *fx, double *fy,
                 double sums[2])
{
    double pot = 0, vir = 0;
    for (int c = 0; c < nc * nc; c++) head[c] = -1;
    for (int i = 0; i < n; i++) {
        int cx = (int)(x[i] * nc), cy = (int)(y[i] * nc);
        if (cx >= nc) cx = nc - 1;
        if (cy >= nc) cy = nc - 1;
        next[i] = head[cy * nc + cx];
        head[cy * nc + cx] = i;
        fx[i] = fy[i] = 0;
    }
    for (int cy = 0; cy < nc; cy++)
        for (int cx = 0; cx < nc; cx++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int c = cy * nc + cx, o = (cy + dy + nc) % nc * nc + (cx + dx + nc) % nc;
                    if (o < c) continue;
                    for (int i = head[c]; i >= 0; i = next[i]) {
                        int j = o == c ? next[i] : head[o];
                        while (j >= 0) {
                            double rx = x[i] - x[j], ry = y[i] - y[j], r2 = rx * rx + ry * ry;
                            if (r2 < 0.03) {
                                pot += 0.03 - r2;
                                vir += r2 * r2;
                                fx[i] += rx;
                                fy[i] += ry;
                                fx[j] -= rx;
                                fy[j] -= ry;
                            }
                            j = next[j];
                        }
                    }
                }
    sums[0] = pot;
    sums[1] = vir;
}
