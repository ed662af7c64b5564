/* test-threads: 1 (few points by design) */
/* rows of a sparse matrix: their ends are data; the smallest entry beside the product, empty rows among them */
#pragma regraph size(rows=700, nnz=9000) size(rows=37, nnz=90) size(rows=5, nnz=1)
#pragma regraph extent(start: rows + 1) extent(column: nnz + 1) extent(value: nnz + 1) extent(x: rows) extent(y: rows) extent(low: rows)
#pragma regraph input(start: prefix(nnz)) input(column: uniform(0, rows - 1))
void product(int rows, int nnz, const int *start, const int *column, const float *value, const float *x, float *y, float *low)
{
    for (int i = 0; i < rows; i++) {
        float sum = x[i], least = 1e9f;
        for (int k = start[i]; k < start[i + 1]; k++) {
            float v = value[k];
            if (v < 0) v = -v;
            sum += v * x[column[k]];
            if (v < least) least = v;
        }
        y[i] = sum;
        low[i] = least;
    }
}
