// Scans behind tests of sizes that return early: the grid goes through them. Matches of a pattern, as far as there is room. want: parallel
// chain: scan.block@C
// shows: scan_under_condition_kernel4
#include <stddef.h>
#pragma regraph size(n=200000,m=5,cap=100) size(n=7,m=2,cap=3) extent(text: n) extent(pat: m) extent(pos: cap) input(text: uniform(0, 1)) input(pat: uniform(0, 1))
size_t scan_under_condition(const char *text, size_t n, const char *pat, size_t m, size_t *pos, size_t cap)
{
    size_t found = 0;
    if (m == 0 || m > n) return 0;
    for (size_t i = 0; i + m <= n; i++) {
        size_t k = 0;
        while (k < m && text[i + k] == pat[k]) k++;
        if (k == m) {
            if (found < cap) pos[found] = i;
            found++;
        }
    }
    return found;
}
