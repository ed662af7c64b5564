/* y = A x for a sparse matrix in CSR form: 20 entries a row on average */
#pragma regraph size(rows=100000, cols=100000, nnz=2000000)
#pragma regraph extent(row_start: rows + 1) extent(column: nnz) extent(value: nnz) extent(x: cols) extent(y: rows)
#pragma regraph input(row_start: prefix(nnz)) input(column: uniform(0, cols - 1))
void spmv(int rows, int cols, int nnz, const int *row_start, const int *column, const float *value, const float *x, float *y)
{
    (void)cols;
    (void)nnz;
    for (int i = 0; i < rows; i++) {
        float sum = 0.0f;
        for (int k = row_start[i]; k < row_start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
