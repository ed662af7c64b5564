// All shortest paths with the next hop of each: row and column k stay in round k, all other points are free. want: parallel
// chain: parallelize@C
// shows: i != k && j != k
#include <limits.h>
#define INF (INT_MAX / 2)
#pragma regraph size(n=60) size(n=7) size(n=1) input(dist: uniform(0, 200))
void all_pairs(int n, int dist[n][n], int hop[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (dist[i][j] > 100) dist[i][j] = INF;
            hop[i][j] = dist[i][j] < INF ? j : -1;
        }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            int first = dist[i][k];
            if (first == INF) continue;
            for (int j = 0; j < n; j++) {
                int sum = first + dist[k][j];
                if (sum < dist[i][j]) {
                    dist[i][j] = sum;
                    hop[i][j] = hop[i][k];
                }
            }
        }
}
