// A sparse matrix is transposed; how many entries there are, the last row's end says. want: parallel
// chain: parallelize@C
#pragma regraph size(rows=400, cols=300, ptr.end=2000) size(rows=7, cols=5, ptr.end=13) extent(to_row: ptr.end) extent(to_val: ptr.end)
void flip(int rows, int cols, const int *ptr, const int *col, const double *val, int *to_ptr, int *to_row, double *to_val)
{
    const int entries = ptr[rows];
    for (int c = 0; c <= cols; c++) to_ptr[c] = 0;
    for (int e = 0; e < entries; e++) to_ptr[col[e] + 1]++;
    for (int c = 0; c < cols; c++) to_ptr[c + 1] += to_ptr[c];
    for (int r = 0; r < rows; r++)
        for (int e = ptr[r]; e < ptr[r + 1]; e++) {
            const int at = to_ptr[col[e]]++;
            to_row[at] = r;
            to_val[at] = val[e];
        }
    for (int c = cols; c > 0; c--) to_ptr[c] = to_ptr[c - 1];
    to_ptr[0] = 0;
}
