// Extremes by their place, of one key or several, among those that conditions let take part. want: parallel
// chain: reduce.block@C
// shows: reduce.block: partial results of loop
// lacks: one thread: loop
#pragma regraph size(n=6000) size(n=1) size(n=2) size(n=70) input(x: uniform(-5, 5)) input(ok: uniform(0, 3)) extent(out: 4)
struct job {
    float cost;
    int state, rank;
};
#pragma regraph input(j: uniform(0, 4))
void ordered_keys_guarded(const int *x, const signed char *ok, const struct job *j, int n, int skip, int *out)
{
    int p = 0, q = 0, i = 0;
    for (int k = 1; k < n; k++)
        if (ok[k] && x[k] > x[p]) p = k;
    while (i < n) {
        if (i != skip)
            if (ok[i] == 2 && x[i] <= x[q]) q = i;
        i++;
    }
    out[0] = p;
    out[1] = q;
    p = 0;
    for (int k = 0; k < n; ++k) {
        int r = j[k].rank * 2;
        if (j[k].state < 1) continue;
        if (r > j[p].rank * 2 || (r == j[p].rank * 2 && j[k].cost < j[p].cost)) p = k;
    }
    out[2] = p;
    out[3] = q + p;
}
