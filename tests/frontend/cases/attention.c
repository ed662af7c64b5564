#include <math.h>
#include <stdlib.h>
#pragma regraph size(T=40, D=16)
void attention(int T, int D, const float *q, const float *k, const float *v, float *o)
{
    float *p = (float *)malloc(T * sizeof(float));
    if (p == NULL)
        return;
    float scale = 1.0f / sqrtf((float)D);
    for (int i = 0; i < T; i++) {
        float mx = -1e30f;
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int d = 0; d < D; d++)
                s += q[i * D + d] * k[j * D + d];
            p[j] = s * scale;
            if (p[j] > mx)
                mx = p[j];
        }
        float sum = 0;
        for (int j = 0; j <= i; j++) {
            p[j] = expf(p[j] - mx);
            sum += p[j];
        }
        for (int d = 0; d < D; d++) {
            float acc = 0;
            for (int j = 0; j <= i; j++)
                acc += p[j] * v[j * D + d];
            o[i * D + d] = acc / sum;
        }
    }
    free(p);
}
// not: opaque parts
// explain: p[j]
