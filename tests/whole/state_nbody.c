#include <stdlib.h>
#include <math.h>
typedef struct {
    int n;
    float eps;
    const float *px, *py, *pz, *mass;
    float *ax, *ay, *az;
} world_t;
static world_t world;
static void world_bind(int n, float eps, const float *px, const float *py, const float *pz, const float *m)
{
    world.n = n;
    world.eps = eps;
    world.px = px; world.py = py; world.pz = pz;
    world.mass = m;
    world.ax = calloc(n, sizeof *world.ax);
    world.ay = calloc(n, sizeof *world.ay);
    world.az = calloc(n, sizeof *world.az);
}
static void accel(world_t *w)
{
    for (int i = 0; i < w->n; ++i) {
        float x = 0, y = 0, z = 0;
        for (int j = 0; j < w->n; ++j) {
            float dx = w->px[j] - w->px[i], dy = w->py[j] - w->py[i], dz = w->pz[j] - w->pz[i];
            float r2 = dx * dx + dy * dy + dz * dz + w->eps;
            float inv = 1.0f / sqrtf(r2);
            float s = w->mass[j] * inv * inv * inv;
            x += s * dx; y += s * dy; z += s * dz;
        }
        w->ax[i] = x; w->ay[i] = y; w->az[i] = z;
    }
}
void forces(int n, float eps, const float *px, const float *py, const float *pz, const float *m, float *out)
{
    world_bind(n, eps, px, py, pz, m);
    accel(&world);
    for (int i = 0; i < n; i++) {
        out[3 * i] = world.ax[i];
        out[3 * i + 1] = world.ay[i];
        out[3 * i + 2] = world.az[i];
    }
    free(world.ax); free(world.ay); free(world.az);
}
