#include <math.h>
#include <stdlib.h>
typedef struct { int n, nnz; int *rowptr, *col; double *val; } csr_matrix;
static void spmv(const csr_matrix *A, const double *x, double *y)
{
    for (int i = 0; i < A->n; i++) {
        double s = 0.0;
        for (int k = A->rowptr[i]; k < A->rowptr[i + 1]; k++) s += A->val[k] * x[A->col[k]];
        y[i] = s;
    }
}
static double dot(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
int cg_solve(const csr_matrix *A, const double *b, double *x, double tol, int maxit)
{
    int n = A->n, it = 0;
    double *r = malloc(n * sizeof(double)), *p = malloc(n * sizeof(double)), *q = malloc(n * sizeof(double));
    spmv(A, x, q);
    for (int i = 0; i < n; i++) { r[i] = b[i] - q[i]; p[i] = r[i]; }
    double rho = dot(r, r, n);
    while (sqrt(rho) > tol && it < maxit) {
        spmv(A, p, q);
        double alpha = rho / dot(p, q, n);
        for (int i = 0; i < n; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
        double rho1 = dot(r, r, n);
        for (int i = 0; i < n; i++) p[i] = r[i] + rho1 / rho * p[i];
        rho = rho1;
        it++;
    }
    free(r); free(p); free(q);
    return it;
}
