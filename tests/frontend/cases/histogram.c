#include <stdint.h>
#include <string.h>
#pragma regraph size(n=4000, bins=32)
#pragma regraph input(data: uniform(0, 31)) extent(hist: bins) require(bins >= 32)
void histogram(size_t n, size_t bins, const uint8_t *data, uint32_t *hist)
{
    memset(hist, 0, bins * sizeof(uint32_t));
    for (size_t i = 0; i < n; i++)
        hist[data[i]]++;
}
// explain: hist             out    unsigned int[bins]
// explain: class scatter
