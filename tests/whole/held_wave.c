#include <stdlib.h>
struct field { int n; float *p; };
static struct field lev[3];
static int NX, NY;
static float C2;
static const float *VEL;

static void field_alloc(struct field *f, int n)
{
    f->n = n;
    f->p = (float *) calloc((size_t) n, sizeof(float));
}

static void rotate(void)
{
    float *t = lev[0].p;
    lev[0].p = lev[1].p;
    lev[1].p = lev[2].p;
    lev[2].p = t;
}

static void advance(void)
{
    int i, j;
    float *um = lev[0].p, *u = lev[1].p, *up = lev[2].p;
    for (j = 1; j < NY - 1; j++)
        for (i = 1; i < NX - 1; i++) {
            int k = j * NX + i;
            float l = u[k - 1] + u[k + 1] + u[k - NX] + u[k + NX] - 4.0f * u[k];
            up[k] = 2.0f * u[k] - um[k] + C2 * VEL[k] * l;
        }
}

void wave_run(int nx, int ny, int nt, float c2, const float *vel, const float *u0, float *out)
{
    int t, k;
    NX = nx; NY = ny; C2 = c2; VEL = vel;
    for (t = 0; t < 3; t++) field_alloc(&lev[t], nx * ny);
    for (k = 0; k < nx * ny; k++) lev[0].p[k] = lev[1].p[k] = u0[k];
    for (t = 0; t < nt; t++) { advance(); rotate(); }
    for (k = 0; k < nx * ny; k++) out[k] = lev[1].p[k];
    for (t = 0; t < 3; t++) free(lev[t].p);
}
