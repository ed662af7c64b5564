#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { float x, y, z; } vec3;
typedef struct { vec3 pos, vel, force; float mass; } particle;
static int cell_of(float v, float cell, int nc)
{
    int c = (int)floorf(v / cell);
    if (c < 0) c = 0;
    if (c >= nc) c = nc - 1;
    return c;
}
void forces_cells(particle *p, int n, float box, float cutoff)
{
    int nc = (int)(box / cutoff);
    if (nc < 1) nc = 1;
    float cell = box / nc;
    int ncells = nc * nc * nc;
    int *head = malloc(ncells * sizeof(int)), *next = malloc(n * sizeof(int));
    memset(head, -1, ncells * sizeof(int));
    for (int i = 0; i < n; i++) {
        int c = (cell_of(p[i].pos.x, cell, nc) * nc + cell_of(p[i].pos.y, cell, nc)) * nc + cell_of(p[i].pos.z, cell, nc);
        next[i] = head[c];
        head[c] = i;
    }
    for (int i = 0; i < n; i++) {
        vec3 f = {0, 0, 0};
        int cx = cell_of(p[i].pos.x, cell, nc), cy = cell_of(p[i].pos.y, cell, nc), cz = cell_of(p[i].pos.z, cell, nc);
        for (int dx = -1; dx <= 1; dx++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dz = -1; dz <= 1; dz++) {
                    int ax = cx + dx, ay = cy + dy, az = cz + dz;
                    if (ax < 0 || ay < 0 || az < 0 || ax >= nc || ay >= nc || az >= nc) continue;
                    for (int j = head[(ax * nc + ay) * nc + az]; j >= 0; j = next[j]) {
                        if (j == i) continue;
                        float rx = p[i].pos.x - p[j].pos.x, ry = p[i].pos.y - p[j].pos.y, rz = p[i].pos.z - p[j].pos.z;
                        float r2 = rx * rx + ry * ry + rz * rz;
                        if (r2 > cutoff * cutoff || r2 < 1e-6f) continue;
                        float s = p[j].mass / (r2 * sqrtf(r2));
                        f.x += s * rx; f.y += s * ry; f.z += s * rz;
                    }
                }
        p[i].force = f;
    }
    free(head); free(next);
}
