/* y = A x, A in CSR form. */
#pragma regraph size(rows=4000, cols=4000, nnz=120000) size(rows=101, cols=37, nnz=1009) size(rows=1, cols=1, nnz=3)
#pragma regraph input(row_start: prefix(nnz)) input(column: uniform(0, cols - 1))
void spmv(int rows, int cols, int nnz, const int row_start[rows + 1], const int column[nnz], const float value[nnz], const float x[cols], float y[rows])
{
    for (int i = 0; i < rows; i++) {
        float sum = 0.0f;
        for (int k = row_start[i]; k < row_start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
