#include <math.h>
/* rows of 2 d: the first half goes through gelu (the tanh form) and gates the second; both have a bias */
void ref_geglu(int r, int d, const float *x, const float *bias, float *y)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < d; j++) {
            float a = x[i * 2 * d + j] + bias[j], b = x[i * 2 * d + d + j] + bias[d + j];
            y[i * d + j] = 0.5f * a * (1.0f + tanhf(0.79788456f * (a + 0.044715f * a * a * a))) * b;
        }
}
