// Rows of a sparse matrix, whose columns and values two pointers go along to the row's end. want: parallel
typedef struct {
    int nrow;
    const int *ptr, *ind;
    const double *val;
} walk_matrix;

void walk_csr(const walk_matrix *A, const double *x, double *y)
{
    const int *rp = A->ptr, *ci = A->ind + rp[0];
    const double *av = A->val + rp[0];
    double *end = y + A->nrow;
    while (y != end) {
        const int *last = A->ind + *++rp;
        double s = 0;
        while (ci < last) s += *av++ * x[*ci++];
        *y++ = s;
    }
}
