#include <math.h>

/* Softmax of every row, with the usual shift by the row's maximum */
#pragma regraph size(rows=8192, cols=1024)
void softmax(int rows, int cols, const float *x, float *y)
{
    for (int r = 0; r < rows; r++) {
        float max = x[r * cols];
        for (int c = 1; c < cols; c++)
            if (x[r * cols + c] > max)
                max = x[r * cols + c];
        float sum = 0.0f;
        for (int c = 0; c < cols; c++) {
            y[r * cols + c] = expf(x[r * cols + c] - max);
            sum += y[r * cols + c];
        }
        for (int c = 0; c < cols; c++)
            y[r * cols + c] /= sum;
    }
}
