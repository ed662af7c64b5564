// Counts that may come back to none, other values than are compared, places that move on: in order. want: sequential
#pragma regraph size(n=900, m=40) size(n=1, m=3) input(at: uniform(0, 1)) input(step: uniform(-1, 1)) input(cnt: uniform(0, 1)) extent(q: n) extent(at: n) extent(step: n) extent(lo: m) extent(hi: m) extent(cnt: m)
void first_visits_not(int n, int m, const float *q, const int *at, const int *step, float *lo, float *hi, int *cnt)
{
    for (int i = 0; i < n; i++) {
        int b = at[i];
        if (cnt[b] == 0) lo[b] = q[i];
        else if (q[i] < lo[b]) lo[b] = q[i];
        cnt[b] += step[i];
    }
    for (int i = 0; i < n; i++) {
        int b = at[i];
        if (cnt[b] == 0) hi[b] = q[i];
        else if (q[i] * 0.5f > hi[b]) hi[b] = q[i];
        cnt[b]++;
    }
    for (int i = 0; i < n; i++) {
        int b = at[i];
        if (cnt[b] == 0) lo[b] = q[i];
        else if (q[i] < lo[b]) lo[b] = q[i];
        b++;
        cnt[b]++;
    }
    for (int i = 0; i < n; i++) {
        int b = at[i];
        if (cnt[b] == 0) lo[b] = q[i] + hi[0];
        else if (q[i] + hi[0] < lo[b]) lo[b] = q[i] + hi[0];
        hi[b] = lo[b];
        cnt[b]++;
    }
}
