#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP_OPEN = 5, GAP_EXTEND = 1 };

static const signed char score[4][4] = {
    { 5, -4, -4, -4 },
    { -4, 5, -4, -4 },
    { -4, -4, 5, -4 },
    { -4, -4, -4, 5 },
};

static int base_index(char c)
{
    switch (c) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
    }
    return 0;
}

static inline int max2(int a, int b) { return a > b ? a : b; }

/* affine gaps; returns the best local score and where it ends */
int align(const char *a, int la, const char *b, int lb, int *end_a, int *end_b)
{
    int (*H)[lb + 1] = calloc(la + 1, sizeof *H);
    int (*E)[lb + 1] = calloc(la + 1, sizeof *E);
    int (*F)[lb + 1] = calloc(la + 1, sizeof *F);
    int best = 0;
    *end_a = *end_b = 0;
    for (int i = 1; i <= la; i++) {
        for (int j = 1; j <= lb; j++) {
            E[i][j] = max2(E[i][j - 1] - GAP_EXTEND, H[i][j - 1] - GAP_OPEN);
            F[i][j] = max2(F[i - 1][j] - GAP_EXTEND, H[i - 1][j] - GAP_OPEN);
            int d = H[i - 1][j - 1] + score[base_index(a[i - 1])][base_index(b[j - 1])];
            int h = max2(0, max2(d, max2(E[i][j], F[i][j])));
            H[i][j] = h;
            if (h > best) {
                best = h;
                *end_a = i;
                *end_b = j;
            }
        }
    }
    free(H);
    free(E);
    free(F);
    return best;
}

int main(void)
{
    const char *x = "ACGTTGCAACGT", *y = "TTGCATCGTACG";
    int ea, eb;
    int s = align(x, (int)strlen(x), y, (int)strlen(y), &ea, &eb);
    printf("%d at %d %d\n", s, ea, eb);
    return 0;
}
