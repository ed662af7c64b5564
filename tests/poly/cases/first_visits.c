// Extremes by bin that begin with the bin's first element; the first to come to a place. want: parallel
#pragma regraph size(n=60000, m=700) size(n=900, m=40) size(n=1, m=3) input(at: uniform(-2, 699)) extent(q: n) extent(at: n) extent(lo: m) extent(hi: m) extent(cnt: m) extent(mean: m) extent(who: m)
void first_visits(int n, int m, const float *q, const int *at, float *lo, float *hi, unsigned *cnt, float *mean, int *who)
{
    for (int b = 0; b < m; b++) {
        mean[b] = 0.0f;
        who[b] = -1;
        cnt[b] = 0;
    }
    for (int i = 0; i < n; i++) {
        int b = at[i];
        if (b < 0 || b >= m)
            continue;
        float v = q[i] * 2.0f;
        if (cnt[b] == 0) {
            lo[b] = v;
            hi[b] = v;
            who[b] = i;
        } else {
            if (v < lo[b]) lo[b] = v;
            if (v > hi[b]) hi[b] = v;
        }
        mean[b] += v;
        cnt[b]++;
    }
}
