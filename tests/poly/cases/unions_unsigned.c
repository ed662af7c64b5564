// Components whose labels have no sign, with edges that are left out, and how many parts there are. want: parallel
#pragma regraph size(n = 3000, m = 2500) size(n = 40, m = 60) size(n = 1, m = 1)
#include <stddef.h>
#include <stdint.h>
static uint32_t find(uint32_t *up, uint32_t v)
{
    while (up[v] != v) {
        up[v] = up[up[v]];
        v = up[v];
    }
    return v;
}
size_t unions_unsigned(size_t n, size_t m, const uint32_t (*restrict edge)[2], const uint8_t *restrict broken,
                       uint32_t *restrict comp, uint32_t *restrict size)
{
    size_t parts = n;
    for (size_t v = 0; v < n; v++) {
        comp[v] = (uint32_t)v;
        size[v] = 0;
    }
    for (size_t e = 0; e < m; e++) {
        if (broken[e >> 3] >> (e & 7) & 1) continue;
        uint32_t a = find(comp, edge[e][0]), b = find(comp, edge[e][1]);
        if (a == b) continue;
        if (a < b)
            comp[b] = a;
        else
            comp[a] = b;
        parts--;
    }
    for (size_t v = 0; v < n; v++) {
        comp[v] = find(comp, (uint32_t)v);
        size[comp[v]]++;
    }
    return parts;
}
#pragma regraph extent(broken: (m + 7) / 8)
