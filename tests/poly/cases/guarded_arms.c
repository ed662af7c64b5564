// Two parts of one block: a choice says that reads stay in the first, so that stores to the second are apart. want: parallel
#include <stdlib.h>
#pragma regraph size(h=90, w=70, r=2) size(h=7, w=5, r=3) size(h=1, w=1, r=1)
int guarded_arms(int h, int w, int r, const unsigned char *in, unsigned char *out)
{
    size_t n = (size_t)h * w;
    unsigned char *t = malloc(2 * n);
    if (!t) return -1;
    for (size_t i = 0; i < n; i++) t[i] = in[i] / 2;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned char m = 255;
            for (int j = -r; j <= r; j++) {
                unsigned char s = y + j < 0 || !(y + j < h) ? m : t[(size_t)(y + j) * w + x];
                if (s < m) m = s;
            }
            t[n + (size_t)y * w + x] = m;
        }
    for (size_t i = 0; i < n; i++) out[i] = t[n + i];
    free(t);
    return 0;
}
