// want: parallel
/* One block of memory, filled row by row and read as bands of a row: how long a band is, a quotient says. */
#pragma regraph size(frames=50, width=96, bands=6) size(frames=7, width=20, bands=4) require(1 <= bands) extent(x: frames*width) extent(level: frames*bands)
#include <stdlib.h>
void levels(int frames, int width, int bands, const float *x, float *level)
{
    int taps = width / bands;
    float *y = malloc(sizeof(float) * frames * width);
    for (int t = 0; t < frames; t++)
        for (int o = 0; o < width; o++) y[t * width + o] = x[t * width + o] * x[t * width + o];
    for (int t = 0; t < frames; t++)
        for (int b = 0; b < bands; b++) {
            float s = 0;
            for (int k = 0; k < taps; k++) s += y[(t * bands + b) * taps + k];
            level[t * bands + b] = s;
        }
    free(y);
}
