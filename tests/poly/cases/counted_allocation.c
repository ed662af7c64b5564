// The caller allocates as many elements as it counted: what the count began with is no extent. want: parallel
#include <stdlib.h>
typedef struct {
    int n, *ptr, *col;
    double *val;
} csr;
#pragma regraph size(A.n=20000) size(A.n=37)
void counted_allocation(const csr *A, const double *x, double *y)
{
    for (int i = 0; i < A->n; i++) {
        double s = 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) s += A->val[k] * x[A->col[k]];
        y[i] = s;
    }
}
static csr band(int n)
{
    csr A;
    int nz = 0;
    A.n = n;
    A.ptr = calloc(n + 1, sizeof(int));
    for (int i = 0; i < n; i++) nz += i > 0 && i % 3 ? 2 : 1;
    A.col = malloc(nz * sizeof(int));
    A.val = malloc(nz * sizeof(double));
    for (int i = 0, k = 0; i < n; i++) {
        if (i > 0 && i % 3) A.col[k] = i - 1, A.val[k++] = -1;
        A.col[k] = i, A.val[k++] = 2;
        A.ptr[i + 1] = k;
    }
    return A;
}
int main(void)
{
    csr A = band(20000);
    double *x = calloc(A.n, sizeof *x), *y = calloc(A.n, sizeof *y);
    counted_allocation(&A, x, y);
    return 0;
}
