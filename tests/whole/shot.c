#include <stdio.h>
#include <stdlib.h>
#include <math.h>
/* elastic-like: several sources, damping border, receivers anywhere */
struct src { int ix, iz; float amp; };
struct grid { int nx, nz, nt, nsrc, nrec, nb; float dt; };

void shot(const struct grid *g, const struct src *src, const float *wav, const int *rec, const float *vp, const float *damp, float *seis)
{
    const int nx = g->nx, nz = g->nz;
    float *prev = calloc((size_t)nx * nz, sizeof(float));
    float *cur = calloc((size_t)nx * nz, sizeof(float));
    for (int it = 0; it < g->nt; it++) {
        for (int iz = 2; iz < nz - 2; iz++) {
            for (int ix = 2; ix < nx - 2; ix++) {
                int k = iz * nx + ix;
                float lap = -5.0f * cur[k] + 1.3333f * (cur[k - 1] + cur[k + 1] + cur[k - nx] + cur[k + nx])
                          - 0.0833f * (cur[k - 2] + cur[k + 2] + cur[k - 2 * nx] + cur[k + 2 * nx]);
                prev[k] = (2.0f * cur[k] - prev[k]) + vp[k] * vp[k] * g->dt * g->dt * lap;
            }
        }
        for (int s = 0; s < g->nsrc; s++)
            prev[src[s].iz * nx + src[s].ix] += src[s].amp * wav[it];
        for (int iz = 0; iz < nz; iz++)
            for (int ix = 0; ix < nx; ix++) {
                prev[iz * nx + ix] *= damp[iz * nx + ix];
                cur[iz * nx + ix] *= damp[iz * nx + ix];
            }
        for (int r = 0; r < g->nrec; r++)
            seis[it * g->nrec + r] = prev[rec[r]];
        float *tmp = prev; prev = cur; cur = tmp;
    }
    free(prev); free(cur);
}

int main(void)
{
    struct grid g = {300, 200, 50, 3, 40, 20, 0.001f};
    struct src s[3] = {{10, 10, 1.f}, {50, 20, 2.f}, {100, 30, -1.f}};
    float *vp = malloc(sizeof(float) * g.nx * g.nz), *damp = malloc(sizeof(float) * g.nx * g.nz), *wav = malloc(sizeof(float) * g.nt), *seis = malloc(sizeof(float) * g.nt * g.nrec);
    int *rec = malloc(sizeof(int) * g.nrec);
    for (int i = 0; i < g.nx * g.nz; i++) vp[i] = 1500, damp[i] = 0.99f;
    for (int i = 0; i < g.nt; i++) wav[i] = sinf(0.1f * i);
    for (int i = 0; i < g.nrec; i++) rec[i] = 5 * g.nx + 4 * i;
    shot(&g, s, wav, rec, vp, damp, seis);
    printf("%g\n", seis[100]);
    return 0;
}
