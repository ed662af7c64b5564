// want: parallel
// chain: parallelize@C
// shows: even\[\(\(long long\)i \* (\(long long\))?s \+ (\(long long\))?j\) / 2
/* What the C computes in 64 bits the kernel does, too, where no rows are found. */
#pragma regraph size(n=60, s=50)
#include <stddef.h>
void halves_of(int n, int s, const float *even, float *all)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < s; j++) all[(size_t)i * s + j] = even[((size_t)i * s + j) / 2];
}
