// Elimination with a search for the pivot: whether rows are exchanged, and whether it goes on, is asked in the kernels. want: parallel
// chain: reduce.block@loop:i
// shows: k % 32 != 0 && pow2_from\(k\) != max\(1, k\) \|\| go_on_mem\[0\]
// lacks: //  +if \(
#include <math.h>
#pragma regraph size(n=300) size(n=40) size(n=3)
#pragma regraph input(a: uniform(-1, 1))
int guards_pivot(int n, double a[n][n], int piv[n])
{
    int rank = 0;
    for (int k = 0; k < n; k++) {
        int p = k;
        double big = fabs(a[k][k]);
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > big) {
                big = fabs(a[i][k]);
                p = i;
            }
        if (big == 0.0) break;
        piv[k] = p;
        rank = k + 1;
        if (p != k)
            for (int j = 0; j < n; j++) {
                double t = a[k][j];
                a[k][j] = a[p][j];
                a[p][j] = t;
            }
        for (int i = k + 1; i < n; i++) {
            double m = a[i][k] / a[k][k];
            a[i][k] = m;
            for (int j = k + 1; j < n; j++) a[i][j] -= m * a[k][j];
        }
    }
    return rank;
}
