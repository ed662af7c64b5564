/* densities of particles with a linked cell list in two dimensions */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NX 64
#define NY 64
#define MAX_PER_CELL 32

typedef struct { float x, y; } vec2;
typedef struct {
    vec2 pos;
    vec2 vel;
    float density;
    float pressure;
} particle_t;

static int cell_count[NX * NY];
static int cell_items[NX * NY][MAX_PER_CELL];

static inline float kernel_poly6(float r2, float h2)
{
    float d = h2 - r2;
    return d > 0.0f ? d * d * d : 0.0f;
}

static inline int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

static void build_cells(const particle_t *p, int n, float h)
{
    memset(cell_count, 0, sizeof(cell_count));
    for (int i = 0; i < n; i++) {
        int cx = clampi((int)floorf(p[i].pos.x / h), 0, NX - 1);
        int cy = clampi((int)floorf(p[i].pos.y / h), 0, NY - 1);
        int c = cy * NX + cx;
        if (cell_count[c] < MAX_PER_CELL)
            cell_items[c][cell_count[c]++] = i;
    }
}

void compute_density(particle_t *p, int n, float h, float stiffness, float rest)
{
    float h2 = h * h;
    build_cells(p, n, h);
    for (int i = 0; i < n; i++) {
        int cx = clampi((int)floorf(p[i].pos.x / h), 0, NX - 1);
        int cy = clampi((int)floorf(p[i].pos.y / h), 0, NY - 1);
        float rho = 0.0f;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                int x = cx + dx, y = cy + dy;
                if (x < 0 || y < 0 || x >= NX || y >= NY)
                    continue;
                int c = y * NX + x;
                for (int k = 0; k < cell_count[c]; k++) {
                    const particle_t *q = &p[cell_items[c][k]];
                    float rx = p[i].pos.x - q->pos.x, ry = p[i].pos.y - q->pos.y;
                    rho += kernel_poly6(rx * rx + ry * ry, h2);
                }
            }
        }
        p[i].density = rho;
        p[i].pressure = stiffness * (rho - rest);
    }
}

int main(void)
{
    enum { N = 2000 };
    static particle_t p[N];
    for (int i = 0; i < N; i++) {
        p[i].pos.x = 64.0f * rand() / RAND_MAX;
        p[i].pos.y = 64.0f * rand() / RAND_MAX;
    }
    compute_density(p, N, 1.0f, 3.0f, 1.0f);
    printf("%f\n", p[0].density);
    return 0;
}
