/* Levinson's recursion on a sequence for which floats keep hardly a digit */
#include <stdio.h>

static void autocorrelation(int n, float r[n])
{
    for (int i = 0; i < n; i++) r[i] = n + 1 - i;
}

void levinson(int n, const float r[n], float y[n])
{
    float z[n], alpha = -r[0], beta = 1;
    y[0] = -r[0];
    for (int k = 1; k < n; k++) {
        float sum = 0;
        beta *= 1 - alpha * alpha;
        for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++) y[i] = z[i];
        y[k] = alpha;
    }
}

int main(void)
{
    float r[100], y[100];
    autocorrelation(100, r);
    levinson(100, r, y);
    printf("%g\n", y[99]);
    return 0;
}
