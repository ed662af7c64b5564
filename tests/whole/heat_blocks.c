#include <stdlib.h>
/* heat equation on a row of blocks; a block knows its neighbours by index, -1 at the ends */
typedef struct block {
    int left, right, n;
    double *u, *unew;
} block;
void heat_blocks(int nb, int n, int steps, double *u)
{
    block *b = (block *)malloc(nb * sizeof(block));
    for (int i = 0; i < nb; i++) {
        b[i].left = i - 1;
        b[i].right = i + 1 < nb ? i + 1 : -1;
        b[i].n = n;
        b[i].u = (double *)malloc((n + 2) * sizeof(double));
        b[i].unew = (double *)malloc((n + 2) * sizeof(double));
        for (int j = 0; j < n; j++) b[i].u[j + 1] = u[i * n + j];
        b[i].u[0] = b[i].u[n + 1] = 0.0;
    }
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < nb; i++) {
            block *k = &b[i];
            k->u[0] = k->left >= 0 ? b[k->left].u[k->n] : 0.0;
            k->u[k->n + 1] = k->right >= 0 ? b[k->right].u[1] : 0.0;
        }
        for (int i = 0; i < nb; i++)
            for (int j = 1; j <= b[i].n; j++) b[i].unew[j] = b[i].u[j] + 0.25 * (b[i].u[j - 1] - 2 * b[i].u[j] + b[i].u[j + 1]);
        for (int i = 0; i < nb; i++) {
            double *s = b[i].u;
            b[i].u = b[i].unew;
            b[i].unew = s;
        }
    }
    for (int i = 0; i < nb; i++) {
        for (int j = 0; j < n; j++) u[i * n + j] = b[i].u[j + 1];
        free(b[i].u);
        free(b[i].unew);
    }
    free(b);
}
