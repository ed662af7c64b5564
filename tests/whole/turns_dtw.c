#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Dynamic time warping with a Sakoe-Chiba band: one query against a database of series of the same length.
   Two rolling rows. Series are z-normalised on the fly. */

static float min3(float a, float b, float c)
{
    float m = a < b ? a : b;
    return m < c ? m : c;
}

static void moments(const float *s, int len, float *mean, float *inv_sd)
{
    float m = 0, v = 0;
    for (int i = 0; i < len; i++) m += s[i];
    m /= len;
    for (int i = 0; i < len; i++) v += (s[i] - m) * (s[i] - m);
    *mean = m;
    *inv_sd = v > 0 ? 1.0f / sqrtf(v / len) : 0.0f;
}

int dtw_search(const float *query, const float *db, int nseries, int len, int band, float *dist)
{
    float *prev = malloc((len + 1) * sizeof(float)), *cur = malloc((len + 1) * sizeof(float));
    float qm, qs;
    int best = 0;

    moments(query, len, &qm, &qs);
    for (int s = 0; s < nseries; s++) {
        const float *t = db + (size_t)s * len;
        float tm, ts;
        moments(t, len, &tm, &ts);

        for (int j = 0; j <= len; j++) prev[j] = FLT_MAX;
        prev[0] = 0;
        for (int i = 1; i <= len; i++) {
            int lo = i - band < 1 ? 1 : i - band;
            int hi = i + band > len ? len : i + band;
            for (int j = 0; j <= len; j++) cur[j] = FLT_MAX;
            for (int j = lo; j <= hi; j++) {
                float d = (query[i - 1] - qm) * qs - (t[j - 1] - tm) * ts;
                cur[j] = d * d + min3(prev[j], prev[j - 1], cur[j - 1]);
            }
            float *swap = prev;
            prev = cur;
            cur = swap;
        }
        dist[s] = sqrtf(prev[len]);
        if (dist[s] < dist[best]) best = s;
    }
    free(prev);
    free(cur);
    return best;
}

int main(void)
{
    int ns = 20, len = 64;
    float *q = malloc(len * sizeof *q), *db = malloc(ns * len * sizeof *db), *d = malloc(ns * sizeof *d);
    double sum = 0;
    for (int i = 0; i < len; i++) q[i] = sinf(i * 0.2f);
    for (int s = 0; s < ns; s++)
        for (int i = 0; i < len; i++) db[s * len + i] = sinf(i * (0.1f + 0.012f * s) + 0.3f) * (1 + s);
    int b = dtw_search(q, db, ns, len, 6, d);
    for (int s = 0; s < ns; s++) sum += d[s];
    printf("best %d sum %.4f\n", b, sum);
    free(q);
    free(db);
    free(d);
    return 0;
}
