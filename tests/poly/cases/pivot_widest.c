// Widest paths with the next hop: row k is left out, so the points that only ask are column k; what they store is one value. want: parallel
// chain: parallelize@C
// shows: kernel4<<<dim3
#pragma regraph size(n=60) size(n=7) size(n=1) input(cap: uniform(0, 9)) extent(cap: n, n) extent(next: n, n)
void widest(int n, unsigned **cap, short **next)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) next[i][j] = (short)(cap[i][j] ? j : -1);
    for (int k = 0; k < n; k++) {
        const unsigned *via = cap[k];
        for (int i = 0; i < n; i++) {
            const unsigned ik = cap[i][k];
            if (ik == 0 || i == k) continue;
            unsigned *row = cap[i];
            short *nx = next[i];
            for (int j = 0; j < n; j++) {
                unsigned w = ik < via[j] ? ik : via[j];
                if (w > row[j]) {
                    row[j] = w;
                    nx[j] = nx[k];
                }
            }
        }
    }
}
