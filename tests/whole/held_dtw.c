#include <math.h>
#include <string.h>
static int gLen, gBand;
static const float *gSeries;

static float minf3(float a, float b, float c) { float m = a < b ? a : b; return m < c ? m : c; }

static float dtw(const float *a, const float *b)
{
    float bufA[gLen + 1], bufB[gLen + 1];
    float *prev = bufA, *cur = bufB;
    for (int j = 0; j <= gLen; j++) prev[j] = INFINITY;
    prev[0] = 0;
    for (int i = 1; i <= gLen; i++) {
        int lo = i - gBand < 1 ? 1 : i - gBand, hi = i + gBand > gLen ? gLen : i + gBand;
        for (int j = 0; j <= gLen; j++) cur[j] = INFINITY;
        for (int j = lo; j <= hi; j++) {
            float d = a[i - 1] - b[j - 1];
            cur[j] = d * d + minf3(prev[j], prev[j - 1], cur[j - 1]);
        }
        float *t = prev; prev = cur; cur = t;
    }
    return sqrtf(prev[gLen]);
}

void dtw_matrix(int n, int len, int band, const float *series, float *dist)
{
    gLen = len;
    gBand = band;
    gSeries = series;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            dist[i * n + j] = i == j ? 0.0f : dtw(gSeries + i * len, gSeries + j * len);
}
