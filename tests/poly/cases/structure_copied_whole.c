// A structure whose last member is a byte comes whole from a ring of the last few: its padding is no result. want: parallel
// chain: parallelize@C
#include <stdint.h>
typedef struct { uint64_t key; uint32_t at; uint8_t side; } mark;
#pragma regraph size(n=300, m=40) size(n=7, m=9) extent(x: n, m) extent(best: n, m)
void structure_copied_whole(const unsigned *x, int n, int m, mark *best)
{
    for (int i = 0; i < n; i++) {
        mark ring[8];
        int filled = 0;
        for (int j = 0; j < m; j++) {
            unsigned v = x[i * m + j] * 2654435761u;
            mark q;
            q.at = j;
            if (v % 3 == 0) {
                q.key = v;
                q.side = 0;
            } else {
                q.key = ~v;
                q.side = 1;
            }
            ring[filled % 8] = q;
            filled++;
            int least = 0;
            for (int k = 1; k < (filled < 8 ? filled : 8); k++)
                if (ring[k].key < ring[least].key) least = k;
            best[i * m + j] = ring[least];
        }
    }
}
