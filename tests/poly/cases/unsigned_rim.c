// want: parallel
// chain: parallelize,coalesce,tile.shared@x,vectorize
// shows: \(long long\)i0 - 1(ll)? >= 0
/* A tile begins before the array's first row and column: counters that are unsigned have no values there. */
#include <stddef.h>
#pragma regraph size(n=100,m=120) size(n=33,m=40) size(n=7,m=5)
void unsigned_rim(size_t n, unsigned m, const double x[n][m], double y[n][m])
{
    for (size_t i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++) {
            double s = x[i][j];
            if (i > 0) s += x[i - 1][j];
            if (i + 1 < n) s += x[i + 1][j];
            if (j > 0) s += x[i][j - 1];
            if (j + 1 < m) s += x[i][j + 1];
            y[i][j] = s / 3;
        }
}
