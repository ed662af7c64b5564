#include <math.h>
/* cross entropy of each row of logits against its label */
void ref_xent(int m, int n, const float *z, const int *label, float *loss)
{
    for (int i = 0; i < m; i++) {
        float top = z[i * n];
        for (int j = 1; j < n; j++) if (z[i * n + j] > top) top = z[i * n + j];
        double s = 0;
        for (int j = 0; j < n; j++) s += exp(z[i * n + j] - top);
        loss[i] = log(s) + top - z[i * n + label[i]];
    }
}
