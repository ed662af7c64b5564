// Two vectors in one block, pointers declared in front and set once it is there: each rod has its own. want: parallel
// chain: array.expand@loop:b,parallelize
#include <stdlib.h>

#pragma regraph size(nbatch=40, n=33, pitch=40) size(nbatch=3, n=4, pitch=5)
int parts_assigned(double *u, int nbatch, int n, int pitch, const double *kappa)
{
    double *cp, *dp;
    int b, i;

    if (n < 3 || pitch < n) return -1;
    cp = (double *)malloc(2 * (size_t)n * sizeof(double));
    if (cp == 0) return -2;
    dp = cp + n;
    for (b = 0; b < nbatch; b++) {
        double *row = u + (size_t)b * pitch;
        double r = 0.5 * kappa[b], diag = 1.0 + 2.0 * r;
        cp[0] = 0.0;
        dp[0] = row[0];
        for (i = 1; i < n - 1; i++) {
            double m = diag + r * cp[i - 1];
            cp[i] = -r / m;
            dp[i] = (r * (row[i - 1] + row[i + 1]) + r * dp[i - 1]) / m;
        }
        for (i = n - 2; i > 0; i--) row[i] = dp[i] - cp[i] * row[i + 1];
    }
    free(cp);
    return 0;
}
