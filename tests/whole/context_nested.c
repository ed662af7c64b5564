/* Dye carried by a steady wind: the mesh is a structure inside the context, filled by a function of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mesh {
    int nx, ny, n;
    double h;
};

struct tracer {
    struct mesh mesh;
    float *dye, *next;
    float *u, *v;
};

static void mesh_make(struct mesh *m, int nx, int ny)
{
    m->nx = nx;
    m->ny = ny;
    m->n = nx * ny;
    m->h = 1.0 / nx;
}

void tracer_init(struct tracer *t, int nx, int ny)
{
    mesh_make(&t->mesh, nx, ny);
    t->dye = malloc(t->mesh.n * sizeof *t->dye);
    t->next = malloc(t->mesh.n * sizeof *t->next);
    t->u = malloc(t->mesh.n * sizeof *t->u);
    t->v = malloc(t->mesh.n * sizeof *t->v);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int k = j * nx + i;
            t->dye[k] = t->next[k] = i > nx / 4 && i < nx / 2 && j > ny / 4 && j < ny / 2;
            t->u[k] = 0.3f * sinf(6.2831853f * j / ny);
            t->v[k] = -0.3f * sinf(6.2831853f * i / nx);
        }
}

void tracer_run(struct tracer *t, int nx, int ny, int steps, float *out)
{
    for (int s = 0; s < steps; s++) {
        for (int j = 1; j < t->mesh.ny - 1; j++)
            for (int i = 1; i < t->mesh.nx - 1; i++) {
                int k = j * t->mesh.nx + i;
                float dx = t->u[k] > 0 ? t->dye[k] - t->dye[k - 1] : t->dye[k + 1] - t->dye[k];
                float dy = t->v[k] > 0 ? t->dye[k] - t->dye[k - t->mesh.nx] : t->dye[k + t->mesh.nx] - t->dye[k];
                t->next[k] = t->dye[k] - t->u[k] * dx - t->v[k] * dy;
            }
        memcpy(t->dye, t->next, t->mesh.n * sizeof *t->dye);
    }
    for (int k = 0; k < nx * ny; k++) out[k] = t->dye[k];
}
