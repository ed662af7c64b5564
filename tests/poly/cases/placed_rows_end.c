// The transpose of a matrix in compressed rows that says itself how many elements there are. want: parallel
// chain: parallelize@C
#pragma regraph size(rows=400,cols=300) size(rows=30,cols=20) size(rows=2,cols=3) extent(row: start.end) extent(to: start.end)
#pragma regraph require(rows >= 1) require(cols >= 1) role(next: out) role(row: out) role(to: out)
void placed_rows_end(int rows, int cols, const int *start, const int *col, const float *val, int *next, int *row, float *to)
{
    int nz = start[rows];
    for (int c = 0; c <= cols; c++)
        next[c] = 0;
    for (int k = 0; k < nz; k++)
        next[col[k] + 1]++;
    for (int c = 0; c < cols; c++)
        next[c + 1] += next[c];
    for (int r = 0; r < rows; r++)
        for (int k = start[r]; k < start[r + 1]; k++) {
            int p = next[col[k]]++;
            row[p] = r;
            to[p] = val[k];
        }
}
