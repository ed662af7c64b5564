// Rows of edges, and rows again in the check behind the rounds, which returns from the inner loop. want: parallel
// chain: parallelize@C
// shows: row_end
#include <stdbool.h>
#pragma regraph size(n=300, src=1) size(n=7, src=0) input(w: uniform(-0.05, 9))
bool rows(int n, const int *row, const int *col, const float *w, int src, float *dist)
{
    for (int v = 0; v < n; v++) dist[v] = 1e30f;
    dist[src] = 0;
    for (int r = 0; r < n - 1; r++) {
        bool ok = true;
        for (int u = 0; u < n; u++)
            for (int k = row[u]; k < row[u + 1]; k++)
                if (dist[u] + w[k] < dist[col[k]]) {
                    dist[col[k]] = dist[u] + w[k];
                    ok = false;
                }
        if (ok) break;
    }
    for (int u = 0; u < n; u++)
        for (int k = row[u]; k < row[u + 1]; k++)
            if (dist[u] + w[k] < dist[col[k]]) return false;
    return true;
}
