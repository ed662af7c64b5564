#include <math.h>
#include <stdlib.h>
void ref_attention(int h, int n, const float *q, const float *k, const float *v, float *o)
{
    double *p = malloc(sizeof *p * n);
    for (int b = 0; b < h; b++)
        for (int i = 0; i < n; i++) {
            const float *Q = q + (b * n + i) * 64;
            double most = -1e300, sum = 0, r[64] = {0};
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int d = 0; d < 64; d++) s += (double)Q[d] * k[(b * n + j) * 64 + d];
                p[j] = s * 0.125;
                if (p[j] > most) most = p[j];
            }
            for (int j = 0; j < n; j++) {
                double w = exp(p[j] - most);
                sum += w;
                for (int d = 0; d < 64; d++) r[d] += w * v[(b * n + j) * 64 + d];
            }
            for (int d = 0; d < 64; d++) o[(b * n + i) * 64 + d] = r[d] / sum;
        }
    free(p);
}
