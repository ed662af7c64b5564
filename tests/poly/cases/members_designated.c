// A local structure with pointers, some NULL at first, its members named in another order. want: parallel
#pragma regraph size(n=300000) size(n=37)
#include <stdlib.h>
struct work {
    const double *weight;
    int n;
    double *square, *rest;
};
void smooth(int n, const double *x, double *y)
{
    static const double third[3] = {.25, .5, .25};
    struct work w = {.square = malloc(n * sizeof(double)), .rest = NULL, .n = n, .weight = third};
    struct work v = {third, n, NULL, NULL};
    v.rest = malloc(v.n * sizeof *v.rest);
    for (int i = 0; i < w.n; i++) w.square[i] = x[i] * x[i];
    for (int i = 0; i < v.n; i++) v.rest[i] = v.weight[1] * w.square[i];
    for (int i = 1; i < w.n - 1; i++) y[i] = w.weight[0] * w.square[i - 1] + v.rest[i] + w.weight[2] * w.square[i + 1];
    free(w.square);
    free(v.rest);
}
