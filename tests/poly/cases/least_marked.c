// Minima of groups, and a mark on each that fell, by a condition around both. want: parallel
// chain: parallelize@C
// shows: atomicMin
#pragma regraph size(n=100000, m=5000) size(n=70, m=9) extent(low: m) extent(fell: m) input(a: uniform(-900, 900))
void lowest(int n, int m, const int *group, const int *a, int *low, unsigned char *fell)
{
    for (int g = 0; g < m; g++) fell[g] = 0;
    for (int k = 0; k < n; k++)
        if (a[k] < low[group[k]]) {
            fell[group[k]] = 1;
            low[group[k]] = a[k];
        }
}
