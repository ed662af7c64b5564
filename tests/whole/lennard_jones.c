#include <math.h>
#include <stdlib.h>
#define NDIM 3
typedef struct { double r[NDIM], v[NDIM], f[NDIM]; } particle;
typedef struct { double pot, kin, virial; } energies;
static double box = 20.0;
static double rcut2 = 6.25;

static void forces(particle *p, unsigned n, energies *e)
{
    e->pot = e->virial = 0;
    for (unsigned i = 0; i < n; i++)
        for (int d = 0; d < NDIM; d++) p[i].f[d] = 0;
    for (unsigned i = 0; i < n - 1; i++)
        for (unsigned j = i + 1; j < n; j++) {
            double dr[NDIM], r2 = 0;
            for (int d = 0; d < NDIM; d++) {
                dr[d] = p[i].r[d] - p[j].r[d];
                dr[d] -= box * rint(dr[d] / box);
                r2 += dr[d] * dr[d];
            }
            if (r2 > rcut2 || r2 < 0.5) continue;
            double ir2 = 1 / r2, ir6 = ir2 * ir2 * ir2;
            double ff = 48 * ir6 * (ir6 - 0.5) * ir2;
            e->pot += 4 * ir6 * (ir6 - 1);
            e->virial += ff * r2;
            for (int d = 0; d < NDIM; d++) {
                p[i].f[d] += ff * dr[d];
                p[j].f[d] -= ff * dr[d];
            }
        }
}
void md_run(particle *p, unsigned n, int steps, double dt, energies *e)
{
    forces(p, n, e);
    for (int s = 0; s < steps; s++) {
        for (unsigned i = 0; i < n; i++)
            for (int d = 0; d < NDIM; d++) {
                p[i].v[d] += 0.5 * dt * p[i].f[d];
                p[i].r[d] += dt * p[i].v[d];
            }
        forces(p, n, e);
        e->kin = 0;
        for (unsigned i = 0; i < n; i++)
            for (int d = 0; d < NDIM; d++) {
                p[i].v[d] += 0.5 * dt * p[i].f[d];
                e->kin += 0.5 * p[i].v[d] * p[i].v[d];
            }
    }
}
