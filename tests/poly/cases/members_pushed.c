// Statistics kept by functions of the file in a local structure that is copied to the caller's. want: parallel
#include <float.h>
#pragma regraph size(n=50000) size(n=1) size(n=300)
typedef struct { double sum, sumsq, lo, hi; int count, top; } acc_t;
static void acc_init(acc_t *a)
{
    a->sum = a->sumsq = 0;
    a->lo = DBL_MAX;
    a->hi = -DBL_MAX;
    a->count = 0;
    a->top = -1;
}
static void acc_push(acc_t *a, double v, int id)
{
    a->count++;
    a->sum += v;
    a->sumsq += v * v;
    if (v < a->lo) a->lo = v;
    if (v > a->hi) {
        a->hi = v;
        a->top = id;
    }
}
void summary(const double *v, int n, acc_t *res)
{
    acc_t a;
    acc_init(&a);
    for (int i = 0; i < n; i++) acc_push(&a, v[i], i);
    *res = a;
}
