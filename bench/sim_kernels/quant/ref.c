#include <math.h>
/* rows as bytes, with a scale for each: its largest magnitude becomes 127 */
void ref_quant(int r, int c, const float *x, signed char *q, float *scale)
{
    for (int i = 0; i < r; i++) {
        float m = 0;
        for (int j = 0; j < c; j++) m = fabsf(x[i * c + j]) > m ? fabsf(x[i * c + j]) : m;
        float s = m / 127.0f;
        scale[i] = s;
        for (int j = 0; j < c; j++) q[i * c + j] = (signed char)rintf(x[i * c + j] / s);
    }
}
