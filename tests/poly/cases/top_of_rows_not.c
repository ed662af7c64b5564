// The list may be one longer than the row has room: its last element is the next row's first. want: parallel
// refused: parallelize@C : carries a dependence (flow) on best
#pragma regraph size(rows=300, m=60, k=6) size(rows=4, m=9, k=3) size(rows=3, m=2, k=1)
#pragma regraph extent(best: rows * k + 1)
void top_of_rows_not(int rows, int m, int k, const int x[rows][m], int *best)
{
    for (int r = 0; r < rows; r++) {
        int *b = best + r * k, have = 0;
        for (int j = 0; j < m; j++) {
            int v = x[r][j];
            if (have > k && v <= b[k]) continue;
            if (have < k + 1) have++;
            int pos = have - 1;
            while (pos > 0 && b[pos - 1] < v) {
                b[pos] = b[pos - 1];
                pos--;
            }
            b[pos] = v;
        }
    }
}
