// A void pointer that is read as bytes, through a pointer of that type and by a helper: its elements are bytes. want: parallel
#include <stddef.h>
#include <stdint.h>
#pragma regraph size(size=70000,blocks=9) size(size=1,blocks=1) size(size=333,blocks=4) extent(first: blocks)
static uint32_t load(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }

void histogram(const void *data, size_t size, size_t blocks, unsigned *bins, uint32_t *first, const void *table)
{
    const unsigned char *p = data;
    for (int k = 0; k < 256; k++) bins[k] = 0;
    for (size_t i = 0; i < size; i++) bins[p[i]]++;
    for (size_t k = 0; k < blocks; k++) first[k] = load((const uint8_t *)table + 2 * k);
}
