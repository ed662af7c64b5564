// A matrix whose rows are sorted by exchange of neighbours: a piece for each row. want: parallel
// chain: parallelize@C
// shows: sort: blocks sort tiles, then merge runs of them, a piece for each r
#pragma regraph size(rows=30,cols=300) size(rows=3,cols=70)
void sort_rows(int rows, int cols, int *m)
{
    for (int r = 0; r < rows; r++)
        for (int i = cols - 1; i > 0; i--)
            for (int j = 0; j < i; j++)
                if (m[r * cols + j] > m[r * cols + j + 1]) {
                    int t = m[r * cols + j];
                    m[r * cols + j] = m[r * cols + j + 1];
                    m[r * cols + j + 1] = t;
                }
}
