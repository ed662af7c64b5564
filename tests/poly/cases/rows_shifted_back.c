// Compressed rows by columns: counts, their sums with the last one stored on the way, placement, rows shifted back. want: parallel
#pragma regraph size(rows=500,cols=400,nz=3000) size(rows=2,cols=3,nz=5) size(rows=60,cols=50,nz=300) extent(ptr: rows+1) extent(col: nz) extent(val: nz) extent(start: cols+1) extent(row: nz) extent(out: nz)
#pragma regraph input(ptr: prefix(nz)) input(col: uniform(0, cols-1)) role(start: out) role(row: out) role(out: out)
void rows_shifted_back(int rows, int cols, int nz, const int *ptr, const int *col, const double *val, int *start, int *row, double *out)
{
    for (int n = 0; n <= cols; n++) start[n] = 0;
    for (int n = 0; n < nz; n++) row[n] = 0, out[n] = 0;
    for (int k = ptr[0]; k < ptr[rows]; k++) start[col[k]]++;
    for (int c = 0, sum = 0; c < cols; c++) {
        int n = start[c];
        start[c] = sum;
        sum += n;
        start[cols] = sum;
    }
    for (int r = 0; r < rows; r++)
        for (int k = ptr[r]; k < ptr[r + 1]; k++) {
            int c = col[k], at = start[c];
            row[at] = r;
            out[at] = val[k];
            start[c]++;
        }
    for (int c = 0, last = 0; c <= cols; c++) {
        int n = start[c];
        start[c] = last;
        last = n;
    }
}
