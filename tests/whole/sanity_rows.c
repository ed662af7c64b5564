// Loader check for a table of measurements: row by row, any NaN-like marker ends the import,
// otherwise the row's mean is stored. Also tells which columns are constant.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum status { OK = 0, BAD_VALUE = 1 };

#define MISSING (-9999.0)

int import_rows(size_t rows, size_t cols, const double *restrict cells, double *restrict mean)
{
    for (size_t r = 0; r < rows; r++) {
        const double *row = cells + r * cols;
        double sum = 0.0;
        for (size_t c = 0; c < cols; c++) {
            if (row[c] == MISSING)
                return (int)r + 1;
            sum += row[c];
        }
        mean[r] = sum / (double)cols;
    }
    return OK;
}

void constant_columns(size_t rows, size_t cols, const double *restrict cells, bool *restrict constant, int *restrict n_constant)
{
    int n = 0;
    for (size_t c = 0; c < cols; c++) {
        bool same = true;
        size_t r = 1;
        while (same && r < rows) {
            if (cells[r * cols + c] != cells[c]) same = false;
            ++r;
        }
        constant[c] = same;
        n += same;
    }
    *n_constant = n;
}

int main(void)
{
    enum { R = 40, C = 12 };
    static double cells[R * C], mean[R];
    static bool constant[C];
    int n;
    for (int i = 0; i < R * C; i++) cells[i] = (i % C == 3) ? 1.0 : i * 0.5;
    constant_columns(R, C, cells, constant, &n);
    printf("%d %d\n", import_rows(R, C, cells, mean), n);
}
