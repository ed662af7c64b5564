// Columns of complex numbers in scratch of the caller's: a Fourier transform of an image. want: parallel
// chain: parallelize@C
// shows: == cols - 1
#include <complex.h>
#include <math.h>
static void fft1(float complex *x, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            float complex t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
    for (int len = 2; len <= n; len *= 2)
        for (int i = 0; i < n; i += len)
            for (int k = 0; k < len / 2; k++) {
                float complex w = cexpf(-2.0f * (float)M_PI * I * k / len);
                float complex u = x[i + k], v = w * x[i + k + len / 2];
                x[i + k] = u + v;
                x[i + k + len / 2] = u - v;
            }
}
#pragma regraph size(rows=16, cols=8) size(rows=8, cols=2) size(rows=2, cols=4)
void fft2d(float complex *img, float complex *col, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        fft1(img + r * cols, cols);
    for (int c = 0; c < cols; c++) {
        for (int r = 0; r < rows; r++)
            col[r] = img[r * cols + c];
        fft1(col, rows);
        for (int r = 0; r < rows; r++)
            img[r * cols + c] = col[r];
    }
}
