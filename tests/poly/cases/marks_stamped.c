// Marks that are stamped with the row that came to them, rows end at a running total. want: parallel
// chain: parallelize@C
// shows: \+= 2048
#include <stdlib.h>
#include <string.h>
#pragma regraph size(n=20000, m=160000) size(n=3, m=5) size(n=100,m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m)) extent(rp: n + 1) role(rp: out)
unsigned marks_stamped(unsigned n, unsigned m, const unsigned *off, const unsigned *adj, unsigned *rp)
{
    unsigned *seen = malloc(n * sizeof *seen), nnz = 0;
    memset(seen, 0xff, n * sizeof *seen);
    rp[0] = 0;
    for (unsigned r = 0; r < n; r++) {
        for (unsigned p = off[r]; p < off[r + 1]; ++p) {
            unsigned k = adj[p];
            unsigned q = off[k];
            while (q < off[k + 1]) {
                unsigned c = adj[q++];
                if (seen[c] == r) continue;
                seen[c] = r;
                nnz++;
            }
        }
        rp[r + 1] = nnz;
    }
    free(seen);
    return nnz;
}
