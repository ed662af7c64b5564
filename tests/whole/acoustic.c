#include <stdio.h>
#include <stdlib.h>
#include <math.h>

struct model {
    int nx, nz, nt;
    float dt, dx, f0;
    int sx, sz;
};

static float ricker(float t, float f0)
{
    float a = 3.14159265f * f0 * (t - 1.2f / f0);
    a *= a;
    return (1.0f - 2.0f * a) * expf(-a);
}

void propagate(const struct model *s, const float *vel, float *seis)
{
    int nx = s->nx, nz = s->nz;
    float *p0 = calloc((size_t)nx * nz, sizeof *p0);
    float *p1 = calloc((size_t)nx * nz, sizeof *p1);
    float c = s->dt * s->dt / (s->dx * s->dx);
    for (int it = 0; it < s->nt; it++) {
        for (int z = 1; z < nz - 1; z++)
            for (int x = 1; x < nx - 1; x++) {
                float v = vel[z * nx + x];
                float lap = p0[(z - 1) * nx + x] + p0[(z + 1) * nx + x] + p0[z * nx + x - 1] + p0[z * nx + x + 1] - 4.0f * p0[z * nx + x];
                p1[z * nx + x] = 2.0f * p0[z * nx + x] - p1[z * nx + x] + c * v * v * lap;
            }
        p1[s->sz * nx + s->sx] += s->dt * s->dt * ricker(it * s->dt, s->f0);
        for (int x = 0; x < nx; x++)
            seis[it * nx + x] = p1[4 * nx + x];
        float *t = p0;
        p0 = p1;
        p1 = t;
    }
    free(p0);
    free(p1);
}

int main(void)
{
    struct model m = {.nx = 512, .nz = 384, .nt = 200, .dt = 0.001f, .dx = 10.0f, .f0 = 15.0f, .sx = 256, .sz = 20};
    float *vel = malloc(sizeof *vel * m.nx * m.nz), *seis = malloc(sizeof *seis * m.nx * m.nt);
    for (int z = 0; z < m.nz; z++)
        for (int x = 0; x < m.nx; x++)
            vel[z * m.nx + x] = z < 150 ? 1500.0f : 2500.0f;
    propagate(&m, vel, seis);
    double sum = 0;
    for (int i = 0; i < m.nx * m.nt; i++) sum += fabs(seis[i]);
    printf("%g\n", sum);
    free(vel);
    free(seis);
    return 0;
}
