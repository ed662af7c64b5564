/* Smoothing until the largest change is small: what the worked example of the prompts solves. */
#include <math.h>
#include <stdlib.h>
#pragma regraph size(n=100000, most=30) size(n=513, most=200) size(n=7, most=5)
#pragma regraph extent(u: n)
#pragma regraph input(eps: constant(0.02))
void smooth(int n, int most, float eps, float *u)
{
    float *next = malloc(sizeof(float) * n);
    for (int t = 0; t < most; t++) {
        float change = 0;
        for (int i = 0; i < n; i++) {
            next[i] = i == 0 || i == n - 1 ? u[i] : 0.5f * (u[i - 1] + u[i + 1]);
            float d = fabsf(next[i] - u[i]);
            if (d > change) change = d;
        }
        for (int i = 0; i < n; i++) u[i] = next[i];
        if (change <= eps) break;
    }
    free(next);
}
