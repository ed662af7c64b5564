// Minima of groups and a flag beside them, in rounds that data end. want: parallel
// chain: parallelize@C
// shows: atomicMin
#pragma regraph size(n=100000, m=5000, rounds=4) size(n=70, m=9, rounds=3) extent(low: m) input(a: uniform(-900, 900))
int lowest(int n, int m, const int *group, const int *a, int rounds, int *low)
{
    int t = 0, changed = 1;
    while (changed && t < rounds) {
        changed = 0;
        for (int k = 0; k < n; k++)
            if (a[k] + t < low[group[k]]) {
                low[group[k]] = a[k] + t;
                changed = 1;
            }
        t++;
    }
    return t;
}
