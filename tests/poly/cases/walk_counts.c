// Pointers that step inside of what is counted up. want: parallel
#pragma regraph size(len=600) size(len=37) size(len=1) extent(text: len) extent(high: 2) input(text: uniform(0, 255))
#include <stddef.h>
void counts(const unsigned char *text, size_t len, unsigned long count[256], int *high)
{
    const unsigned char *p = text, *end = text + len;
    for (int i = 0; i < 256; i++) count[i] = 0;
    while (p != end) count[*p++]++;
    p = text;
    for (size_t i = 0; i < len; i++) high[*p++ >> 7]--;
}
