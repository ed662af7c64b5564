#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double key; int id; } record_t;

static int by_key(const void *pa, const void *pb)
{
    const record_t *a = pa, *b = pb;
    if (a->key < b->key) return -1;
    if (a->key > b->key) return 1;
    return a->id - b->id;
}

/* median and 90th percentile of each row, and who has it */
void row_percentiles(const double *data, int rows, int cols, double *median, double *p90, int *who)
{
    record_t *tmp = malloc(cols * sizeof(record_t));
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            tmp[c].key = data[r * cols + c];
            tmp[c].id = c;
        }
        qsort(tmp, cols, sizeof(record_t), by_key);
        median[r] = tmp[cols / 2].key;
        p90[r] = tmp[cols * 9 / 10].key;
        who[r] = tmp[cols / 2].id;
    }
    free(tmp);
}

int main(void)
{
    enum { R = 10, C = 100 };
    static double d[R * C], m[R], p[R];
    int w[R];
    for (int i = 0; i < R * C; i++) d[i] = (double)rand() / RAND_MAX;
    row_percentiles(d, R, C, m, p, w);
    printf("%g %g %d\n", m[0], p[0], w[0]);
    return 0;
}
