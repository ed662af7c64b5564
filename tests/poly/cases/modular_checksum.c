// Adler's checksum, from the one before it. want: parallel
#include <stddef.h>
#include <stdint.h>
uint32_t modular_checksum(uint32_t adler, const uint8_t *buf, size_t len)
{
    uint32_t s1 = adler & 0xffff, s2 = adler >> 16;
    while (len--) {
        s1 = (s1 + *buf++) % 65521u;
        s2 = (s2 + s1) % 65521u;
    }
    return s2 << 16 | s1;
}
