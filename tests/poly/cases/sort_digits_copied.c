// A sort by digits whose rounds copy keys and payload back is one sort of pairs. want: parallel
// chain: parallelize@C
// shows: _merge<<<
// lacks: for \(int shift
#pragma regraph size(n=20000) size(n=1) size(n=300)
#pragma regraph extent(keys: n) extent(vals: n) input(vals: permutation())
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void sort_digits_copied(int n, uint32_t *keys, float *vals)
{
    uint32_t *tk = malloc(sizeof(uint32_t) * n);
    float *tv = malloc(sizeof(float) * n);
    int count[256];
    if (!tk || !tv) abort();
    for (int shift = 0; shift < 32; shift += 8) {
        memset(count, 0, sizeof count);
        for (int i = 0; i < n; i++) count[keys[i] >> shift & 255]++;
        int sum = 0;
        for (int b = 0; b < 256; b++) {
            int c = count[b];
            count[b] = sum;
            sum += c;
        }
        for (int i = 0; i < n; i++) {
            int d = count[keys[i] >> shift & 255]++;
            tk[d] = keys[i];
            tv[d] = vals[i];
        }
        memcpy(keys, tk, sizeof(uint32_t) * n);
        memcpy(vals, tv, sizeof(float) * n);
    }
    free(tk);
    free(tv);
}
