// Signs and sizes that are asked in front of the loop, where the answer is no: the loop of the C runs behind. want: parallel
#include <stdint.h>
#pragma regraph size(n=3000, base=9223372036854775783) size(n=131, base=91) size(n=1, base=5000000000) extent(s: n) extent(h: n + 1) input(s: uniform(-100, 122))
uint64_t modular_recurrences_no(int n, uint64_t base, const signed char *s, int *h)
{
    uint64_t hash = 1;
    int last = 0, negative = 0;
    h[0] = 7;
    for (int i = 0; i < n; i++) h[i + 1] = (h[i] * 3 + s[i]) % 1009;
    for (int i = 0; i < n; i++) {
        hash = (hash * base + 3) % 1000003;
        if (s[i] < 0) negative++;
    }
    for (int i = 0; i < n; i++) last = (last * 5 + (s[i] - 20) * 3) % 523;
    return hash + (uint64_t)(last + 600) + (uint64_t)negative;
}
