// Loads of structures are not put ahead, and the reason says so. want: parallel
// refused: parallelize,prefetch.register : loop j loads structures, which are not kept in registers ahead (tests/poly/cases/ahead_structures.c:7)
#pragma regraph size(n=40,m=50) size(n=7,m=13)
struct p { double x, y; };
void ahead_structures(int n, int m, const struct p u[n][m], double y[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) y[i][j] = 0.5 * y[i][j - 1] + u[i][j].x;
}
