// Stockham's transform with a copy in every round. want: parallel
// chain: parallelize@C
// shows: \^
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { float r, i; } cpx;
#pragma regraph size(n=64) size(n=8) size(n=2) require(1048576 % n == 0)
void fft(cpx *x, int n)
{
    cpx *y = malloc(n * sizeof *y);
    int l = n / 2, m = 1;
    while (l >= 1) {
        for (int j = 0; j < l; j++) {
            float c = cosf((float)M_PI * j / l), s = -sinf((float)M_PI * j / l);
            for (int k = 0; k < m; k++) {
                cpx a = x[k + j * m], b = x[k + j * m + l * m], d;
                y[k + 2 * j * m].r = a.r + b.r;
                y[k + 2 * j * m].i = a.i + b.i;
                d.r = a.r - b.r;
                d.i = a.i - b.i;
                y[k + 2 * j * m + m].r = c * d.r - s * d.i;
                y[k + 2 * j * m + m].i = c * d.i + s * d.r;
            }
        }
        memcpy(x, y, n * sizeof *x);
        l /= 2;
        m *= 2;
    }
    free(y);
}
