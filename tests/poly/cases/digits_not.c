// want: sequential
/* One element more than a row has: the last of a row is the first of the next. */
#pragma regraph size(frames=50, width=96, bands=6) size(frames=7, width=20, bands=4) require(1 <= bands) extent(x: frames*width + 1) extent(level: frames*bands)
#include <stdlib.h>
void levels(int frames, int width, int bands, const float *x, float *level)
{
    int taps = width / bands;
    float *y = malloc(sizeof(float) * (frames * width + 1));
    for (int t = 0; t < frames; t++)
        for (int o = 0; o <= width; o++) y[t * width + o] = x[t * width + o] * x[(frames - t) * width - o];
    float s = 0;
    for (int t = 0; t < frames; t++)
        for (int b = 0; b < bands; b++) {
            for (int k = 0; k < taps; k++) s = 1 / (1 + s * s) + y[(t * bands + b) * taps + k];
            level[t * bands + b] = s;
        }
    free(y);
}
