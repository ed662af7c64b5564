#include <assert.h>
void f(int n, int rows, int cols, const float *x, float *y) { assert(n == rows * cols && cols % 4 == 0); for (int i = 0; i < rows * cols; i++) y[i] = 2 * x[i]; }
