// A window without one good pixel keeps what the one before has listed. want: sequential
#pragma regraph size(h=60, w=90) size(h=7, w=5) size(h=1, w=1)
#include <stddef.h>
static void ordered(float *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        float t = v[i];
        size_t j = i;
        while (j > 0 && v[j - 1] > t) {
            v[j] = v[j - 1];
            j--;
        }
        v[j] = t;
    }
}
void window_unsigned_not(int h, int w, const float src[h * w], float dst[h * w])
{
    float list[9] = {0.5f};
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            size_t n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                    if (src[yy * w + xx] > 0.4f) list[n++] = src[yy * w + xx];
                }
            ordered(list, n);
            dst[y * w + x] = list[n / 2];
        }
}
