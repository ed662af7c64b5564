/* Gotoh: global alignment with affine gaps; score only */
#include <stdlib.h>
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define MAX3(a, b, c) MAX2(MAX2(a, b), c)
#define NEG (-1000000)
enum { MATCH = 2, MISMATCH = -1, OPEN = -3, EXT = -1 };

int nw_affine(const char *a, int la, const char *b, int lb)
{
    int w = lb + 1;
    int *M = malloc(sizeof(int) * (la + 1) * w);
    int *X = malloc(sizeof(int) * (la + 1) * w);
    int *Y = malloc(sizeof(int) * (la + 1) * w);
    M[0] = 0; X[0] = Y[0] = NEG;
    for (int i = 1; i <= la; i++) {
        M[i * w] = NEG;
        X[i * w] = OPEN + (i - 1) * EXT;
        Y[i * w] = NEG;
    }
    for (int j = 1; j <= lb; j++) {
        M[j] = NEG;
        X[j] = NEG;
        Y[j] = OPEN + (j - 1) * EXT;
    }
    for (int i = 1; i <= la; i++)
        for (int j = 1; j <= lb; j++) {
            int s = a[i - 1] == b[j - 1] ? MATCH : MISMATCH;
            M[i * w + j] = s + MAX3(M[(i - 1) * w + j - 1], X[(i - 1) * w + j - 1], Y[(i - 1) * w + j - 1]);
            X[i * w + j] = MAX2(M[(i - 1) * w + j] + OPEN, X[(i - 1) * w + j] + EXT);
            Y[i * w + j] = MAX2(M[i * w + j - 1] + OPEN, Y[i * w + j - 1] + EXT);
        }
    int r = MAX3(M[la * w + lb], X[la * w + lb], Y[la * w + lb]);
    free(M); free(X); free(Y);
    return r;
}
