// The places are computed in the function itself, anew in every round: they are asked in front of the loop. want: parallel
// chain: parallelize,coalesce
// shows: max\(min\(
#include <stdlib.h>

#pragma regraph size(n=2000, rounds=3) size(n=6, rounds=2) extent(x: n)
void parts_filled(int n, int rounds, int *x)
{
    int *a = malloc(2 * (size_t)n * sizeof *a), *b = a + n, *next = malloc((size_t)n * sizeof *next);
    for (int i = 0; i < n; i++) a[i] = x[i], b[i] = i;
    for (int t = 0; t < rounds; t++) {
        for (int i = 0; i < n; i++) next[i] = (i * 7 + t) % n;
        for (int i = 0; i < n; i++) {
            int j = next[i];
            b[i] = a[j] + t;
        }
        for (int i = 0; i < n; i++) a[i] = b[i] + 1;
    }
    for (int i = 0; i < n; i++) x[i] = a[i] ^ b[i];
    free(a);
    free(next);
}
