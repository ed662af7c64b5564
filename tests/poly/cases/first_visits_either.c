// Extremes by bin, where a count of none says that there is no value to compare with yet. want: parallel
#pragma regraph size(n=60000, m=700) size(n=900, m=40) size(n=1, m=3) input(at: uniform(0, 2)) extent(q: n) extent(at: n) extent(lo: m) extent(hi: m) extent(cnt: m)
void first_visits_either(int n, int m, const float *q, const int *at, float *lo, float *hi, int *cnt)
{
    for (int b = 0; b < m; b++) cnt[b] = 0;
    for (int i = 0; i < n; i++) {
        int b = at[i];
        if (!cnt[b] || q[i] < lo[b]) lo[b] = q[i];
        if (!cnt[b] || q[i] > hi[b]) hi[b] = q[i];
        cnt[b]++;
    }
}
