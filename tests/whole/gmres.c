/* restarted GMRES for a sparse matrix in compressed rows */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESTART 10

typedef struct {
    int n;
    int nnz;
    const int *rowptr;
    const int *colind;
    const double *values;
} csr_t;

static double norm2(const double *v, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) s += v[i] * v[i];
    return sqrt(s);
}

static void matvec(const csr_t *A, const double *x, double *y)
{
    for (int i = 0; i < A->n; i++) {
        double s = 0.0;
        for (int k = A->rowptr[i]; k < A->rowptr[i + 1]; k++)
            s += A->values[k] * x[A->colind[k]];
        y[i] = s;
    }
}

int gmres(const csr_t *A, const double *b, double *x, int max_outer, double tol, double *residual)
{
    int n = A->n;
    double *V = malloc((RESTART + 1) * n * sizeof(double));
    double *w = malloc(n * sizeof(double));
    double H[RESTART + 1][RESTART], cs[RESTART], sn[RESTART], g[RESTART + 1], y[RESTART];
    double beta = 0.0;
    int outer;

    for (outer = 0; outer < max_outer; outer++) {
        matvec(A, x, w);
        for (int i = 0; i < n; i++) w[i] = b[i] - w[i];
        beta = norm2(w, n);
        if (beta < tol) break;
        for (int i = 0; i < n; i++) V[i] = w[i] / beta;
        for (int i = 0; i <= RESTART; i++) g[i] = 0.0;
        g[0] = beta;
        int k;
        for (k = 0; k < RESTART; k++) {
            matvec(A, V + k * n, w);
            for (int j = 0; j <= k; j++) {
                double h = 0.0;
                for (int i = 0; i < n; i++) h += w[i] * V[j * n + i];
                H[j][k] = h;
                for (int i = 0; i < n; i++) w[i] -= h * V[j * n + i];
            }
            H[k + 1][k] = norm2(w, n);
            if (H[k + 1][k] < 1e-14) { k++; break; }
            for (int i = 0; i < n; i++) V[(k + 1) * n + i] = w[i] / H[k + 1][k];
            for (int j = 0; j < k; j++) {
                double t = cs[j] * H[j][k] + sn[j] * H[j + 1][k];
                H[j + 1][k] = -sn[j] * H[j][k] + cs[j] * H[j + 1][k];
                H[j][k] = t;
            }
            double r = hypot(H[k][k], H[k + 1][k]);
            cs[k] = H[k][k] / r;
            sn[k] = H[k + 1][k] / r;
            H[k][k] = r;
            H[k + 1][k] = 0.0;
            g[k + 1] = -sn[k] * g[k];
            g[k] = cs[k] * g[k];
            if (fabs(g[k + 1]) < tol) { k++; break; }
        }
        for (int i = k - 1; i >= 0; i--) {
            double s = g[i];
            for (int j = i + 1; j < k; j++) s -= H[i][j] * y[j];
            y[i] = s / H[i][i];
        }
        for (int j = 0; j < k; j++)
            for (int i = 0; i < n; i++) x[i] += y[j] * V[j * n + i];
    }
    *residual = beta;
    free(V);
    free(w);
    return outer;
}

static void fill_system(csr_t *A, double *b, double *x)
{
    int n = A->n, k = 0;
    int *rowptr = (int *)A->rowptr, *colind = (int *)A->colind;
    double *values = (double *)A->values;
    for (int i = 0; i < n; i++) {
        rowptr[i] = k;
        for (int d = -2; d <= 2 && k < A->nnz; d++) {
            if (i + d < 0 || i + d >= n) continue;
            colind[k] = i + d;
            values[k] = d == 0 ? 6.0 : -1.0;
            k++;
        }
        b[i] = 1.0 + i % 3;
        x[i] = 0.0;
    }
    rowptr[n] = k;
}

int main(void)
{
    enum { N = 500 };
    csr_t A = { N, 5 * N, malloc((N + 1) * sizeof(int)), malloc(5 * N * sizeof(int)), malloc(5 * N * sizeof(double)) };
    static double b[N], x[N];
    double res;
    fill_system(&A, b, x);
    int it = gmres(&A, b, x, 20, 1e-8, &res);
    printf("%d restarts, residual %g\n", it, res);
    return 0;
}
