// The copy comes first, by memcpy of all of a two-dimensional array, and a residual is summed up besides. want: parallel
// chain: parallelize,coalesce
// shows: old_turn\[
#include <string.h>
#pragma regraph size(n=60,m=40,T=12) size(n=37,m=5,T=3) size(n=20,m=21,T=4) size(n=9,m=9,T=1)
void turns_heat(int T, int n, int m, float u[n][m], float old[n][m], float sum[T])
{
    for (int t = 0; t < T; t++) {
        memcpy(old, u, sizeof(float) * n * m);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = old[i][j] + 0.2f * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1] - 4 * old[i][j]);
        float s = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) s += (u[i][j] - old[i][j]) * (u[i][j] - old[i][j]);
        sum[t] = s;
    }
}
