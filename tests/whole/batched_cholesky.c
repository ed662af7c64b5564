// Cholesky factors of many small matrices, one behind the other; -1: one of them is not positive definite
#include <math.h>

static int factor(int n, float *a)
{
    for (int j = 0; j < n; j++) {
        float d = a[j * n + j];
        for (int k = 0; k < j; k++)
            d -= a[j * n + k] * a[j * n + k];
        if (d <= 0)
            return j + 1;
        d = sqrtf(d);
        a[j * n + j] = d;
        for (int i = j + 1; i < n; i++) {
            float s = a[i * n + j];
            for (int k = 0; k < j; k++)
                s -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = s / d;
        }
    }
    return 0;
}

int factor_all(int batch, int n, float *mats)
{
    for (int b = 0; b < batch; b++)
        if (factor(n, mats + (long)b * n * n))
            return -1;
    return 0;
}

void setup(int batch, int n, float *mats)
{
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                mats[((long)b * n + i) * n + j] = i == j ? n + 1.0f + b % 3 : 1.0f / (1 + i + j);
    if (batch % 5 == 0)
        mats[(batch / 2) * n * n] = -1; /* this one is not */
}
