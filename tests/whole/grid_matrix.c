/* Heat on a plate with holes: the matrix in CSR, its boundary faces, and the cells that were left out, as people assemble them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct face {
    int cell, side;
    double flux;
};

struct system {
    int nx, ny;
    int n_unknowns, nnz, n_faces, n_holes;
    int *number, *rowptr, *col;
    double *val, *rhs;
    struct face *faces;
    int *holes;
};

static void add(struct system *s, int col, double v)
{
    s->col[s->nnz] = col;
    s->val[s->nnz] = v;
    s->nnz++;
}

static void add_face(struct system *s, int cell, int side, double flux)
{
    struct face *f = &s->faces[s->n_faces++];
    f->cell = cell;
    f->side = side;
    f->flux = flux;
}

void assemble(struct system *s, const unsigned char *solid, const double *k)
{
    const int nx = s->nx, ny = s->ny;
    int n = 0, holes = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int c = j * nx + i;
            if (solid[c])
                s->number[c] = n++;
            else {
                s->number[c] = -1;
                s->holes[holes++] = c;
            }
        }
    s->n_unknowns = n;
    s->n_holes = holes;
    s->nnz = 0;
    s->n_faces = 0;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            int c = j * nx + i;
            double diag = 0;
            s->rowptr[c] = s->nnz;
            if (!solid[c]) continue;
            const int di[4] = {-1, 1, 0, 0}, dj[4] = {0, 0, -1, 1};
            for (int d = 0; d < 4; d++) {
                int ii = i + di[d], jj = j + dj[d];
                if (ii < 0 || jj < 0 || ii >= nx || jj >= ny || !solid[jj * nx + ii]) {
                    add_face(s, c, d, 0.5 * k[c]);
                    continue;
                }
                double w = 2 * k[c] * k[jj * nx + ii] / (k[c] + k[jj * nx + ii]);
                diag += w;
                add(s, s->number[jj * nx + ii], -w);
            }
            add(s, s->number[c], diag + 1.0);
        }
    }
    s->rowptr[nx * ny] = s->nnz;
}

int main(void)
{
    struct system s = {.nx = 200, .ny = 150};
    int n = s.nx * s.ny;
    unsigned char *solid = malloc(n);
    double *k = malloc(n * sizeof *k);
    for (int c = 0; c < n; c++) {
        solid[c] = (c * 7919 % 13) != 0;
        k[c] = 1.0 + c % 5;
    }
    s.number = malloc(n * sizeof(int));
    s.holes = malloc(n * sizeof(int));
    s.rowptr = malloc((n + 1) * sizeof(int));
    s.col = malloc(5 * n * sizeof(int));
    s.val = malloc(5 * n * sizeof(double));
    s.faces = malloc(4 * n * sizeof(struct face));
    assemble(&s, solid, k);
    printf("%d unknowns, %d entries, %d faces\n", s.n_unknowns, s.nnz, s.n_faces);
    free(solid);
    free(k);
    return 0;
}
