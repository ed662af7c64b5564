/* unsigned counters and an end below zero: the loop runs not at all. A warp a row: test-threads: 9600 */
#include <stddef.h>
#pragma regraph size(n=300, w=11) size(n=20, w=3)
#pragma regraph extent(x: n) extent(y: n)
void behind(int n, int w, const float *x, float *y)
{
    for (size_t i = 0; i < n; i++) {
        float s = 0;
        for (size_t j = 0; j + w < n; j++) s += x[j + w];
        y[i] = s;
    }
}
