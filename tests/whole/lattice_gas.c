/* A lattice in one block of memory that every function sees as planes of rows, and a reduction that sees it flat. */
#include <stdio.h>
#include <stdlib.h>
#define NX 64
#define NY 48

static void plane(float (*to)[NX], const float (*from)[NX], const float (*below)[NX], const float (*above)[NX])
{
    for (int y = 1; y < NY - 1; y++)
        for (int x = 1; x < NX - 1; x++)
            to[y][x] = 0.5f * from[y][x] + (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1] +
                                            below[y][x] + above[y][x]) / 12.0f;
}

static double total(const float *v, long count)
{
    double s = 0;
    for (long i = 0; i < count; i++) s += v[i];
    return s;
}

void diffuse(int nz, int steps, float *field, float *spare, double *mass)
{
    float (*f)[NY][NX] = (float (*)[NY][NX])field, (*g)[NY][NX] = (float (*)[NY][NX])spare;
    for (int t = 0; t < steps; t++) {
        for (int z = 1; z < nz - 1; z++) plane(g[z], f[z], f[z - 1], f[z + 1]);
        for (int z = 1; z < nz - 1; z++) plane(f[z], g[z], g[z - 1], g[z + 1]);
    }
    for (int z = 0; z < nz; z++) mass[z] = total(&f[z][0][0], (long)NY * NX);
}

int main(void)
{
    enum { NZ = 20 };
    float *field = malloc(sizeof(float) * NZ * NY * NX), *spare = calloc((size_t)NZ * NY * NX, sizeof *spare);
    double mass[NZ];
    for (int i = 0; i < NZ * NY * NX; i++) field[i] = (float)(i % 17);
    diffuse(NZ, 4, field, spare, mass);
    printf("%f\n", mass[0]);
    free(field);
    free(spare);
    return 0;
}
