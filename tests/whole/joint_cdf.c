#include <stdio.h>
#include <stdlib.h>

/* How many pairs lie at or below (a, b), from a table of how many lie in each cell. */
void joint_cdf(int n_a, int n_b, const unsigned *cells, unsigned long *below)
{
    int a, b;

    for (a = 0; a < n_a; ++a) {
        const unsigned *c = &cells[a * n_b];
        unsigned long so_far = 0UL;
        for (b = 0; b < n_b; ++b, ++c) {
            so_far += *c;
            below[a * n_b + b] = a == 0 ? so_far : below[(a - 1) * n_b + b] + so_far;
        }
    }
}

int main(void)
{
    enum { A = 1200, B = 1500 };
    unsigned *cells = malloc(sizeof *cells * A * B);
    unsigned long *below = malloc(sizeof *below * A * B);
    for (int i = 0; i < A * B; i++) cells[i] = (unsigned)(i * 7919 % 13);
    joint_cdf(A, B, cells, below);
    printf("%lu\n", below[A * B - 1]);
    free(cells);
    free(below);
    return 0;
}
