/* contrast of image rows: histogram per row with a given number of bins, Otsu threshold each */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void row_thresholds(const unsigned char *img, int w, int h, int bins, int *thr)
{
    int *hist = (int *)malloc(bins * sizeof(int));
    int x, y, i;
    for (y = 0; y < h; y++) {
        for (i = 0; i < bins; i++) hist[i] = 0;
        for (x = 0; x < w; x++) hist[img[y * w + x] * bins / 256]++;
        double sum = 0, sumB = 0, best = -1;
        int wB = 0, t = 0;
        for (i = 0; i < bins; i++) sum += (double)i * hist[i];
        for (i = 0; i < bins; i++) {
            wB += hist[i];
            if (wB == 0) continue;
            int wF = w - wB;
            if (wF == 0) break;
            sumB += (double)i * hist[i];
            double mB = sumB / wB, mF = (sum - sumB) / wF;
            double v = (double)wB * wF * (mB - mF) * (mB - mF);
            if (v > best) { best = v; t = i; }
        }
        thr[y] = t;
    }
    free(hist);
}
int main(void)
{
    int w = 512, h = 300;
    unsigned char *im = malloc(w * h); int *t = malloc(h * sizeof *t);
    for (int i = 0; i < w * h; i++) im[i] = i * i >> 4;
    row_thresholds(im, w, h, 64, t);
    printf("%d\n", t[0]);
    return 0;
}
