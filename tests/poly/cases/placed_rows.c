// The transpose of a matrix in compressed rows: places by counters in a nest whose rows data bound. want: parallel
// chain: parallelize@C
#pragma regraph size(rows=400,cols=300,nz=3000) size(rows=30,cols=20,nz=60) size(rows=2,cols=3,nz=1) extent(start: rows + 1) extent(col: nz) extent(next: cols + 1) extent(row: nz) extent(to: nz) extent(place: nz)
#pragma regraph input(start: prefix(nz)) input(col: uniform(0, cols-1)) require(rows >= 1) require(cols >= 1) role(row: out) role(to: out)
void placed_rows(int rows, int cols, int nz, const int *start, const int *col, const float *val, int *next, int *row, float *to, long *place)
{
    for (int c = 0; c <= cols; c++)
        next[c] = 0;
    for (int k = 0; k < nz; k++)
        next[col[k] + 1]++;
    for (int c = 0; c < cols; c++)
        next[c + 1] += next[c];
    for (int k = 0; k < nz; k++) {
        row[k] = 0;
        to[k] = 0;
        place[k] = -1;
    }
    for (int r = 0; r < rows; r++) {
        const int end = start[r + 1];
        for (int k = start[r]; k < end; k++) {
            int p = next[col[k]]++;
            row[p] = r;
            to[p] = val[k];
            place[k] = p;
        }
    }
}
