// All shortest paths with next hops in rows of a pitch, whose last one ends where the last point does. want: parallel
// chain: parallelize@C
#include <stddef.h>
#include <stdint.h>
static const int32_t INF = INT32_MAX / 2;
void pivot_pitch(int32_t *dist, int32_t *next, size_t n, size_t ld)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            const int32_t ik = dist[i * ld + k];
            if (ik >= INF) continue;
            for (size_t j = 0; j < n; j++) {
                const int32_t kj = dist[k * ld + j];
                if (kj >= INF) continue;
                if (ik + kj < dist[i * ld + j]) {
                    dist[i * ld + j] = ik + kj;
                    next[i * ld + j] = next[i * ld + k];
                }
            }
        }
}
