// Rows that begin in front of where others end: elements come by more than once, and the nest is run as it stands. want: parallel
#pragma regraph size(rows=20,nz=50) size(rows=3,nz=7) extent(start: rows + 1) extent(col: nz) extent(next: 8) extent(row: 8*rows*nz) extent(end: rows)
#pragma regraph input(start: uniform(0, nz)) input(end: uniform(0, nz)) input(col: uniform(0, 7)) input(row: uniform(0, 9))
void placed_rows_crossing(int rows, int nz, const int *start, const int *end, const int *col, int *next, int *row)
{
    for (int b = 0; b < 8; b++)
        next[b] = b * rows * nz;
    for (int r = 0; r < rows; r++)
        for (int k = start[r]; k < end[r]; k++)
            row[next[col[k]]++] = r;
}
