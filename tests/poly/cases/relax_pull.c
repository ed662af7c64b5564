// Labels that each vertex pulls from its neighbours. want: parallel
// chain: parallelize@C
#pragma regraph size(n=20000, nnz=80000) size(n=60, nnz=200) input(row: prefix(nnz))
void pull(int n, int nnz, const int row[n + 1], const int col[nnz], int *comp)
{
    int again;
    for (int v = 0; v < n; v++) comp[v] = n - v;
    do {
        again = 0;
        for (int v = 0; v < n; v++) {
            int best = comp[v];
            for (int e = row[v]; e < row[v + 1]; e++)
                if (comp[col[e]] > best) best = comp[col[e]];
            if (best != comp[v]) {
                comp[v] = best;
                again = 1;
            }
        }
    } while (again);
}
