/* linear triangles: stiffness into CSR-free "lumped" nodal vector; element struct holds node ids */
#include <math.h>
struct node { double x, y; };
struct tri { int n[3]; double kappa; };
double assemble(int nn, int ne, const struct node *nodes, const struct tri *tris, const double *u, double *res)
{
    double area_total = 0;
    for (int i = 0; i < nn; i++) res[i] = 0.0;
    for (int e = 0; e < ne; e++) {
        const struct tri *t = &tris[e];
        double x[3], y[3];
        for (int a = 0; a < 3; a++) { x[a] = nodes[t->n[a]].x; y[a] = nodes[t->n[a]].y; }
        double bx[3] = { y[1] - y[2], y[2] - y[0], y[0] - y[1] };
        double cx[3] = { x[2] - x[1], x[0] - x[2], x[1] - x[0] };
        double area = 0.5 * fabs(bx[0] * cx[1] - bx[1] * cx[0]) + 1e-9;
        area_total += area;
        for (int a = 0; a < 3; a++) {
            double s = 0;
            for (int b = 0; b < 3; b++)
                s += (bx[a] * bx[b] + cx[a] * cx[b]) * u[t->n[b]];
            res[t->n[a]] += t->kappa * s / (4 * area);
        }
    }
    return area_total;
}
