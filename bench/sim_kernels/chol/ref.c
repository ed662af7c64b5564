#include <math.h>
/* Cholesky factors of m matrices of 24x24: the lower triangle of A with 16 added to the diagonal; zeros above */
void ref_chol(int m, const float *A, float *L)
{
    for (int b = 0; b < m; b++) {
        const float *a = A + b * 576;
        float *l = L + b * 576;
        for (int j = 0; j < 24; j++) {
            float d = a[j * 24 + j] + 16.0f;
            for (int k = 0; k < j; k++) d -= l[j * 24 + k] * l[j * 24 + k];
            d = sqrtf(d);
            for (int i = 0; i < j; i++) l[i * 24 + j] = 0;
            l[j * 24 + j] = d;
            for (int i = j + 1; i < 24; i++) {
                float s = a[i * 24 + j];
                for (int k = 0; k < j; k++) s -= l[i * 24 + k] * l[j * 24 + k];
                l[i * 24 + j] = s / d;
            }
        }
    }
}
