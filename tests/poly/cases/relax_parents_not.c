// Parents beside distances are those of whoever came last: the order of the C. want: parallel
// chain: parallelize@C
// lacks: atomic
#include <stdbool.h>
#define FAR 0x3f3f3f3f
#pragma regraph size(n=200, m=1500, s=7) size(n=5, m=6, s=0) input(w: uniform(1, 9)) extent(d: n) extent(parent: n)
bool shortest(int n, int m, const int *u, const int *v, const int *w, int s, int *d, int *parent)
{
    for (int i = 0; i < n; i++) d[i] = FAR, parent[i] = -1;
    d[s] = 0;
    bool relaxed = true;
    int rounds = 0;
    while (relaxed && rounds < n) {
        relaxed = false;
        for (int e = 0; e < m; e++)
            if (d[u[e]] < FAR && d[u[e]] + w[e] < d[v[e]]) {
                d[v[e]] = d[u[e]] + w[e];
                parent[v[e]] = u[e];
                relaxed = true;
            }
        rounds++;
    }
    return !relaxed;
}
