// The same of rows in memory of the function's own, which nothing has filled before. want: parallel
#pragma regraph size(n=400,classes=6) size(n=9,classes=3) input(label: uniform(0, classes - 1)) extent(x: n * classes)
#include <math.h>
#include <stdlib.h>
double led_scratch(int n, int classes, const float *x, const int label[n])
{
    float *p = malloc(sizeof(float) * n * classes);
    double loss = 0;
    for (int s = 0; s < n; s++) {
        float sum = 0;
        for (int c = 0; c < classes; c++) {
            p[s * classes + c] = expf(x[s * classes + c]);
            sum += p[s * classes + c];
        }
        for (int c = 0; c < classes; c++) p[s * classes + c] /= sum;
        loss -= log(p[s * classes + label[s]]);
    }
    free(p);
    return loss / n;
}
