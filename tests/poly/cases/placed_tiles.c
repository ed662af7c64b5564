// Few counters, whose number the file says: up, down from the last element on, and of some elements alone. want: parallel
// chain: parallelize@C
// lacks: rg_sort|one thread: loop (i|e)
#include <stddef.h>
#pragma regraph size(n=20000) size(n=700) size(n=257) size(n=1) extent(key: n) extent(val: n) extent(up: n) extent(down: n) extent(some: n) input(key: uniform(0, 99)) role(some: out)
void placed_tiles(const int *key, const float *val, float *up, float *down, int *some, int n)
{
    int next[100], behind[100], odd[50];
    for (int k = 0; k < 100; k++) next[k] = behind[k] = 0;
    for (int k = 0; k < 50; k++) odd[k] = 0;
    for (int i = 0; i < n; i++) next[key[i]]++;
    for (int k = 0, sum = 0; k < 100; k++) {
        int c = next[k];
        next[k] = sum;
        sum += c;
        behind[k] = sum;
    }
    for (int i = 0; i < n; i++) up[next[key[i]]++] = val[i];
    for (int i = n - 1; i >= 0; i--) down[--behind[key[i]]] = val[i];
    for (int i = 0; i < n; i++)
        if (key[i] % 2) odd[key[i] / 2]++;
    for (int k = 0, sum = 0; k < 50; k++) {
        int c = odd[k];
        odd[k] = sum;
        sum += c;
    }
    for (int i = 0; i < n; i++) some[i] = -1;
    for (int i = 0; i < n; i++)
        if (key[i] % 2) {
            int at = odd[key[i] / 2]++;
            some[at] = i;
        }
    some[0] += next[0] + behind[3] + odd[7];
}
