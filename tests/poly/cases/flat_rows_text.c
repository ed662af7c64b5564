// A table that is cleared as a whole, in a function that stays text, as memory depends on data. want: sequential
#include <stdlib.h>
#include <string.h>
#pragma regraph size(n=300) size(n=3) input(a: uniform(2, 9))
typedef struct {
    long count;
    double sum;
} cell_t;
long flat_rows_text(cell_t cube[3][4], const int *a, const double *v, int n)
{
    int m = 1;
    while (m < a[0] * 7) m = m * 2;
    int *slot = malloc(sizeof(int) * m);
    if (!slot) return -1;
    memset(cube, 0, sizeof(cell_t) * 3 * 4);
    for (int i = 0; i < m; i++) slot[i] = i ? slot[i - 1] + a[i % n] : 1;
    for (int i = 0; i < n; i++) {
        cell_t *cell = &cube[slot[a[i] % m] % 3][i % 4];
        cell->count += 1;
        cell->sum += v[i];
    }
    free(slot);
    return m;
}
