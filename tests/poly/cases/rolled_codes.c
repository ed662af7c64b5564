// Words of eight letters that roll along a text, forwards and as the other strand is read; letters that are none set them back. want: parallel
// chain: reduce.block@loop:i
// shows: i_2 = i > 32l \? i - 32l : 0l
#pragma regraph size(n=60000) size(n=2000) size(n=12) size(n=3) extent(text: n) extent(count: 65536) extent(last: n) input(text: uniform(60, 90))
#include <string.h>
static int code(char c)
{
    switch (c) {
    case 'A': case 'D': case 'E': case 'F': case 'H': case 'I': return 0;
    case 'C': case 'J': case 'K': case 'L': case 'M': case 'O': return 1;
    case 'G': case 'P': case 'Q': case 'R': case 'S': case 'U': return 2;
    case 'T': case 'V': case 'W': case 'X': case 'Y': case 'Z': return 3;
    }
    return -1;
}
long rolled_codes(long n, const char *text, unsigned *count, unsigned short *last)
{
    unsigned forward = 0, backward = 0;
    unsigned short three = 0xffff;
    unsigned bits = 1;
    int length = 0;
    long words = 0;
    memset(count, 0, 65536 * sizeof *count);
    for (long i = 0; i < n; i++) {
        int c = code(text[i]);
        bits <<= 1;
        bits ^= (unsigned)c;
        three = three * 4 + c;
        last[i] = three + (bits >> 31);
        if (c < 0) {
            length = 0;
            forward = backward = 0;
            continue;
        }
        forward = ((forward << 2) | (unsigned)c) & 65535;
        backward = backward >> 2 | (unsigned)(3 - c) << 14;
        if (++length >= 8) {
            count[forward < backward ? forward : backward]++;
            words++;
        }
    }
    return words;
}
