// The place of the least of what the same loop computes, of rows and their sums. want: parallel
// chain: parallelize
// shows: best
// lacks: least\[best
#include <math.h>
#pragma regraph size(rows=900,cols=60) size(rows=5,cols=4) size(rows=1,cols=3)
int argmin_filled(int rows, int cols, const float x[rows][cols], const float y[cols], float least[rows], double z[rows], int last[3])
{
    int best = 0, most = 0, after = 0;
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int j = 0; j < cols; j++) sum += fabsf(x[i][j] - y[j]);
        least[i] = sqrtf(sum);
        if (least[i] < least[best]) best = i;
        if (least[most] <= least[i]) most = i;
    }
    last[0] = most;
    z[0] = y[0];
    for (int i = 1; i < rows; i++) {
        z[i] = y[0] - (double)x[i][0] * least[i];
        if (z[i] > z[after]) after = i;
    }
    last[1] = after;
    int unset = -1;
    for (int i = 0; i < rows; i++) {
        z[i] += x[i][1];
        if (unset < 0 || z[i] < z[unset]) unset = i;
    }
    last[2] = unset;
    return best;
}
