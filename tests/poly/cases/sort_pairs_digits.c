// Keys by digits, and what belongs to them beside; by insertion, with two more beside. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*rg_keys
#include <stdlib.h>
#pragma regraph size(n=2500) size(n=40)
#pragma regraph extent(key: n) extent(what: n)
void by_key(unsigned *key, int *what, short *year, float *x, double *y, int n)
{
    unsigned *k2 = malloc(n * sizeof(unsigned)), *ka = key, *kb = k2;
    int *w2 = malloc(n * sizeof(int)), *wa = what, *wb = w2;
    for (int pass = 0; pass < 4; pass++) {
        unsigned count[256] = {0}, at = 0;
        for (int i = 0; i < n; i++) count[ka[i] >> 8 * pass & 255]++;
        for (int d = 0; d < 256; d++) {
            unsigned h = count[d];
            count[d] = at;
            at += h;
        }
        for (int i = 0; i < n; i++) {
            unsigned p = count[ka[i] >> 8 * pass & 255]++;
            kb[p] = ka[i];
            wb[p] = wa[i];
        }
        unsigned *tk = ka;
        ka = kb;
        kb = tk;
        int *tw = wa;
        wa = wb;
        wb = tw;
    }
    free(k2);
    free(w2);
    for (int i = 1; i < n; i++) {
        short when = year[i];
        float a = x[i];
        double b = y[i];
        int j = i - 1;
        while (j >= 0 && year[j] < when) {
            year[j + 1] = year[j];
            x[j + 1] = x[j];
            y[j + 1] = y[j];
            j--;
        }
        year[j + 1] = when;
        x[j + 1] = a;
        y[j + 1] = b;
    }
}
