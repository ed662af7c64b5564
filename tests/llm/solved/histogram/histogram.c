/* Counts per bin; values outside [lo, hi) fall into the outermost bins. */
#include <string.h>

static int bin_of(float v, float lo, float hi, int bins)
{
    int b = (int)((v - lo) / (hi - lo) * (float)bins);
    return b < 0 ? 0 : b >= bins ? bins - 1 : b;
}

#pragma regraph size(n=200000, bins=64) size(n=1009, bins=7) size(n=3, bins=1)
#pragma regraph role(hist: out)
void histogram(int n, int bins, float lo, float hi, const float x[n], int hist[bins])
{
    memset(hist, 0, (size_t)bins * sizeof *hist);
    for (int i = 0; i < n; i++)
        hist[bin_of(x[i], lo, hi, bins)]++;
}
