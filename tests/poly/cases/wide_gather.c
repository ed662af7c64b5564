// want: parallel
// chain: parallelize@C
// shows: \(long long\)(s \* (\(long long\))?i|i \* (\(long long\))?s) \+ (\(long long\))?column\[j\]
#pragma regraph size(n=60, s=50) extent(from: n*s) input(column: uniform(0, s-1))
#include <stddef.h>
void permuted(int n, int s, const int *column, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < s; j++) to[(size_t)i * s + j] = from[(size_t)i * s + column[j]];
}
