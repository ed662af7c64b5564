// Shortest paths over compressed rows until no distance gets shorter: a number of changes is the flag. want: parallel
// chain: parallelize@C
#pragma regraph size(n=20000, nnz=80000, s=3) size(n=60, nnz=300, s=0) input(row: prefix(nnz)) input(w: uniform(0.1, 1))
void sssp(int n, int nnz, const int row[n + 1], const int col[nnz], const float w[nnz], int s, float *dist)
{
    for (int i = 0; i < n; i++) dist[i] = 1e30f;
    dist[s] = 0.0f;
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int u = 0; u < n; u++)
            for (int k = row[u]; k < row[u + 1]; k++) {
                float alt = dist[u] + w[k];
                if (alt < dist[col[k]]) { dist[col[k]] = alt; changed++; }
            }
    }
}
