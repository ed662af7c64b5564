#include <stdlib.h>
void sort_pairs(unsigned *keys, int *values, int n)
{
    unsigned *k2 = malloc(n * sizeof(unsigned));
    int *v2 = malloc(n * sizeof(int));
    unsigned *ka = keys, *kb = k2;
    int *va = values, *vb = v2;
    for (int pass = 0; pass < 4; ++pass) {
        unsigned hist[256];
        for (int d = 0; d < 256; ++d) hist[d] = 0;
        for (int i = 0; i < n; ++i) ++hist[ka[i] >> (8 * pass) & 255];
        unsigned at = 0;
        for (int d = 0; d < 256; ++d) { unsigned h = hist[d]; hist[d] = at; at += h; }
        for (int i = 0; i < n; ++i) {
            unsigned p = hist[ka[i] >> (8 * pass) & 255]++;
            kb[p] = ka[i];
            vb[p] = va[i];
        }
        unsigned *tk = ka; ka = kb; kb = tk;
        int *tv = va; va = vb; vb = tv;
    }
    free(k2);
    free(v2);
}
