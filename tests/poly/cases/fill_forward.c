// The last good reading is carried on, with its age; what is infinite is a reading, too. want: parallel
// lacks: one thread: loop
#include <math.h>
#pragma regraph size(n=30000) size(n=1) size(n=300) input(x: uniform(-1, 1))
void fill_forward(const float *x, int n, float *filled, float *low, int *age)
{
    float last = INFINITY;
    double deep = INFINITY;
    int since = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.5f) {
            last = x[i];
            since = 0;
        } else {
            since++;
        }
        if (x[i] < -0.9f) deep = x[i] < -0.99f ? INFINITY : x[i];
        filled[i] = 1 / last;
        low[i] = (float)(1 / deep);
        age[i] = since;
    }
}
