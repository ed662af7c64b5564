/* s = A^T r and q = A p */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(m=191, n=211) size(m=37, n=23) size(m=1, n=2)
void kernel_bicg(int m, int n, const real A[n][m], real s[m], real q[n], const real p[m], const real r[n])
{
    for (int i = 0; i < m; i++) s[i] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < m; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
}
