#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef struct { double x, y, z, vx, vy, vz, m; } body_t;
typedef struct sim { int n; double dt, eps; body_t *b; double *ax, *ay, *az; long steps; } sim_t;
sim_t *sim_create(int n, double dt)
{
    sim_t *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->n = n; s->dt = dt; s->eps = 1e-2;
    s->b = malloc(n * sizeof *s->b);
    s->ax = malloc(n * sizeof(double)); s->ay = malloc(n * sizeof(double)); s->az = malloc(n * sizeof(double));
    if (!s->b || !s->ax || !s->ay || !s->az) { free(s->b); free(s->ax); free(s->ay); free(s->az); free(s); return NULL; }
    for (int i = 0; i < n; i++) {
        double t = 6.28 * i / n;
        s->b[i] = (body_t){cos(t), sin(t), 0.1 * sin(3 * t), -sin(t), cos(t), 0, 1.0 / n};
    }
    return s;
}
void sim_destroy(sim_t *s) { if (!s) return; free(s->b); free(s->ax); free(s->ay); free(s->az); free(s); }
static void accel(sim_t *s)
{
    for (int i = 0; i < s->n; i++) {
        double ax = 0, ay = 0, az = 0;
        const body_t *bi = &s->b[i];
        for (int j = 0; j < s->n; j++) {
            if (i == j) continue;
            double dx = s->b[j].x - bi->x, dy = s->b[j].y - bi->y, dz = s->b[j].z - bi->z;
            double r2 = dx * dx + dy * dy + dz * dz + s->eps, inv = s->b[j].m / (r2 * sqrt(r2));
            ax += dx * inv; ay += dy * inv; az += dz * inv;
        }
        s->ax[i] = ax; s->ay[i] = ay; s->az[i] = az;
    }
}
int sim_advance(sim_t *s, int steps)
{
    if (!s || steps < 0) return -1;
    while (steps-- > 0) {
        accel(s);
        for (int i = 0; i < s->n; i++) {
            body_t *p = &s->b[i];
            p->vx += s->dt * s->ax[i]; p->vy += s->dt * s->ay[i]; p->vz += s->dt * s->az[i];
            p->x += s->dt * p->vx; p->y += s->dt * p->vy; p->z += s->dt * p->vz;
        }
        s->steps++;
    }
    return 0;
}
int main(void)
{
    sim_t *s = sim_create(500, 1e-3);
    if (!s) return 1;
    if (sim_advance(s, 4)) return 1;
    printf("%g\n", s->b[0].x);
    sim_destroy(s);
    return 0;
}
