// Sets of bits that grow along edges, a bound on the rounds in the condition, the flag returned. want: parallel
// chain: parallelize@C
// shows: atomicOr
#include <stdint.h>
#pragma regraph size(n=400, m=3000, most=30) size(n=5, m=6, most=1) size(n=90, m=100, most=2) extent(set: n)
int spread(int n, int m, const int *a, const int *b, const uint32_t *pass, uint32_t *set, int most)
{
    int rounds = 0, changed;
    for (int i = 0; i < n; i++) set[i] = 1u << (i & 31);
    do {
        changed = 0;
        for (int e = 0; e < m; e++) {
            uint32_t old = set[b[e]];
            set[b[e]] |= set[a[e]] & pass[e];
            if (set[b[e]] != old) changed = 1;
        }
        rounds++;
    } while (changed && rounds < most);
    return changed;
}
