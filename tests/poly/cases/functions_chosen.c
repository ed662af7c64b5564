// Functions that a condition chooses, as an argument and in a variable; and what a condition asks of a library function. want: parallel
#include <math.h>
#include <string.h>
#pragma regraph size(n=5000, len=12) size(n=7, len=9) size(n=1, len=8)
#pragma regraph extent(x: n) extent(y: n) extent(names: n * len) input(names: uniform(97, 98)) input(key: uniform(97, 98)) input(kind: uniform(0, 3)) require(len > 3)
typedef float (*activation)(float);
static float relu(float v) { return v > 0 ? v : 0; }
static float logistic(float v) { return 1 / (1 + expf(-v)); }
static float same(float v) { return v; }
static void apply(int n, const float *x, float *y, activation f)
{
    for (int i = 0; i < n; i++) y[i] = f(x[i] - 0.5f);
}
int functions_chosen(int n, int len, const float *x, float *y, int kind, const char *names, const char key[8])
{
    apply(n, x, y, kind == 0 ? relu : kind == 1 ? logistic : same);
    activation last = kind > 2 ? same : relu;
    int found = 0;
    for (int i = 0; i < n; i++) {
        y[i] = last(y[i] - 0.25f);
        if (memcmp(names + (long)i * len, key, 4) == 0) {
            y[i] += 1;
            found++;
        }
        if (memchr(names + (long)i * len, 98, (unsigned long)len) && !strstr("ab", "c")) found += 3;
    }
    return found;
}
