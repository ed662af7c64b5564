#include <stdlib.h>
#include <stdio.h>
/* blocks of a structured mesh, held in an array of blocks inside a domain inside a solver */
typedef struct { int nx, ny; double *q, *qn; } Block;
typedef struct { Block *blocks; int nblocks; } Domain;
typedef struct { Domain dom; double cfl; int steps; } Solver;
static Solver S;
static Block *block_of(int b) { return &S.dom.blocks[b]; }
void solver_setup(int nblocks, int nx, int ny, int steps)
{
    S.dom.nblocks = nblocks;
    S.dom.blocks = malloc(sizeof(Block) * nblocks);
    S.cfl = 0.2;
    S.steps = steps;
    for (int b = 0; b < nblocks; b++) {
        Block *B = block_of(b);
        B->nx = nx; B->ny = ny;
        B->q = malloc(sizeof(double) * nx * ny);
        B->qn = malloc(sizeof(double) * nx * ny);
        for (int i = 0; i < nx * ny; i++) B->q[i] = B->qn[i] = (i * 13 + b) % 29;
    }
}
void solver_run(void)
{
    for (int t = 0; t < S.steps; t++)
        for (int b = 0; b < S.dom.nblocks; b++) {
            Block *B = block_of(b);
            for (int j = 1; j < B->ny - 1; j++)
                for (int i = 1; i < B->nx - 1; i++) {
                    int c = j * B->nx + i;
                    B->qn[c] = B->q[c] + S.cfl * (B->q[c - 1] + B->q[c + 1] + B->q[c - B->nx] + B->q[c + B->nx] - 4 * B->q[c]);
                }
            for (int c = 0; c < B->nx * B->ny; c++) B->q[c] = B->qn[c];
        }
}
double solver_sum(void)
{
    double s = 0;
    for (int b = 0; b < S.dom.nblocks; b++)
        for (int c = 0; c < S.dom.blocks[b].nx * S.dom.blocks[b].ny; c++) s += S.dom.blocks[b].q[c];
    return s;
}
int main(void)
{
    solver_setup(4, 64, 48, 10);
    solver_run();
    printf("%g\n", solver_sum());
    return 0;
}
