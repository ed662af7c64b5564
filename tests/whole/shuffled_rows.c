#include <stdint.h>
#include <stdlib.h>

typedef struct {
    int rows, width, lead;
    double *cells;
} Table;

static void exchange(double *p, double *q, int width)
{
    while (width-- > 0) {
        double keep = *p;
        *p++ = *q;
        *q++ = keep;
    }
}

/* Shuffles the rows by the picks, then sorts the leading columns by the first row, the largest first. */
int shuffle_rows(Table *t, const uint32_t *pick)
{
    int *from = malloc(t->lead * sizeof *from);
    if (from == NULL) return 1;
    for (int i = t->rows - 1; i > 0; i--) {
        int j = (int)(pick[i] % (uint32_t)(i + 1));
        exchange(t->cells + (size_t)i * t->width, t->cells + (size_t)j * t->width, t->width);
    }
    for (int c = 0; c < t->lead; c++) {
        int best = c;
        for (int k = c + 1; k < t->lead; k++)
            if (t->cells[k] > t->cells[best]) best = k;
        from[c] = best;
        double keep = t->cells[c];
        t->cells[c] = t->cells[best];
        t->cells[best] = keep;
    }
    for (int c = 0; c < t->lead; c++)
        for (int r = 1; r < t->rows; r++) {
            double *row = t->cells + (size_t)r * t->width, keep = row[c];
            row[c] = row[from[c]];
            row[from[c]] = keep;
        }
    free(from);
    return 0;
}
