#include <stdlib.h>
#include <string.h>
static int cmp_float(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
void median_filter(const float *in, float *out, int h, int w, int r)
{
    int side = 2 * r + 1;
    float *window = malloc(side * side * sizeof(float));
    for (int y = r; y < h - r; y++)
        for (int x = r; x < w - r; x++) {
            int k = 0;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++) window[k++] = in[(y + j) * w + x + i];
            qsort(window, k, sizeof(float), cmp_float);
            out[y * w + x] = window[k / 2];
        }
    free(window);
}
