// A key that begins anew at its end: how long it is, its end says, not how far the C goes. want: parallel
#pragma regraph extent(key: key.count)
#include <stdint.h>
void ends_repeated(uint8_t *dst, uint8_t *dst_end, const uint8_t *key, const uint8_t *key_end)
{
    const uint8_t *k = key;
    while (dst < dst_end) {
        *dst++ ^= *k++;
        if (k == key_end) k = key;
    }
}
