// Sums by key whose last key is kept, and set where another one comes. want: parallel
#pragma regraph extent(key: n) extent(v: n) extent(keys: n) extent(sums: n)
#include <stddef.h>
size_t tracked_groups(const int *key, const double *v, size_t n, int *keys, double *sums)
{
    size_t g = 0;
    int current = key[0];
    double s = v[0];
    for (size_t i = 1; i < n; i++) {
        if (key[i] != current) {
            keys[g] = current;
            sums[g] = s;
            g++;
            current = key[i];
            s = 0;
        }
        s += v[i];
    }
    keys[g] = current;
    sums[g] = s;
    return g + 1;
}
