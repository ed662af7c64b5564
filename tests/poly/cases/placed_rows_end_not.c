// Rows of which nothing says in front how many elements they have: places wait for those before. want: sequential
#pragma regraph size(rows=400,cols=300,most=4000) size(rows=30,cols=20,most=300) size(rows=2,cols=3,most=16)
#pragma regraph require(rows >= 1) require(cols >= 1) extent(row: most) extent(to: most) input(next: uniform(0, most / 2))
void placed_rows_end_not(int rows, int cols, int most, const int *start, const int *col, const float *val, int *next,
                         int *row, float *to)
{
    for (int r = 0; r < rows; r++)
        for (int k = start[r]; k < start[r + 1]; k++) {
            int p = next[col[k]]++;
            row[p] = r;
            to[p] = val[k];
        }
}
