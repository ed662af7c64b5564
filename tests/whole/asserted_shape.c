#include <assert.h>
#include <stddef.h>
/* a matrix in tiles of four rows; the caller says the number of elements, too */
void scale_rows(int n, int rows, int cols, const float *weight, const float *x, float *y)
{
    assert(n == rows * cols);
    assert(rows % 4 == 0);
    for (int t = 0; t < rows / 4; t++)
        for (int r = 0; r < 4; r++) {
            const float *from = x + (size_t)(4 * t + r) * cols;
            float *to = y + (size_t)(4 * t + r) * cols;
            for (int j = 0; j < cols; j++) to[j] = weight[4 * t + r] * from[j];
        }
}
