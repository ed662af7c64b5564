// Rows as long as one size says, or as another that a test says is equal to it. want: parallel
typedef struct {
    long rows, cols;
    double *v;
} table;

int equal_sizes(table *a, const table *b, double *last)
{
    const long n = b->rows;
    if (a->rows != a->cols || n != a->cols || b->cols != n) return -1;
    for (long k = 0; k + 1 < a->rows; k++) {
        for (long j = 0; j < a->cols; j++) {
            double t = a->v[k * n + j];
            a->v[k * a->rows + j] = b->v[k * b->cols + j] + a->v[(k + 1) * a->cols + j];
            last[j] = t;
        }
    }
    return 0;
}
