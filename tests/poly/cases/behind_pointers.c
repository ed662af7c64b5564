// Bounds and strides that are passed by their address and only read, as in translated Fortran. want: parallel
// chain: parallelize@C
// shows: int n, int lda
#pragma regraph size(n=60, lda=64) size(n=7, lda=9) size(n=1, lda=1) extent(a: lda * n) extent(x: n) require(lda >= n)
typedef int integer;
#define A(I, J) a[(I)-1 + ((J)-1) * a_dim1]
int behind_pointers_(const integer *n, integer *lda, double *alpha, double *a, double *x, integer *info)
{
    integer i, j, a_dim1 = *lda;
    *info = 0;
    if (*lda < *n) {
        *info = -2;
        return 0;
    }
    for (j = 1; j <= *n; ++j)
        for (i = 1; i <= *n; ++i) A(i, j) += *alpha * x[i - 1] * x[j - 1];
    *info = *n;
    return 0;
}
