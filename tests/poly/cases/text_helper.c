// Helpers of no tree whose value is all that they do: strings, unions, a table of names. want: parallel
// chain: parallelize@C
// shows: static __device__ inline int digit\(char
#include <ctype.h>
#include <stdint.h>
#include <string.h>
typedef union {
    uint32_t whole;
    struct {
        uint8_t r, g, b, a;
    } part;
} pixel;
static const char digits[] = "0123456789abcdef";
static const int most = 1 << 4;
static uint32_t blend(uint32_t x, uint32_t y)
{
    pixel p, q;
    p.whole = x;
    q.whole = y;
    p.part.r = (uint8_t)((p.part.r + q.part.r) / 2);
    p.part.g = p.part.g > q.part.g ? p.part.g : q.part.g;
    return p.whole;
}
static int digit(char c)
{
    const char *p = strchr(digits, tolower((unsigned char)c));
    return p && c ? (int)(p - digits) : -1;
}
static void reversed(char *to, unsigned v)
{
    int n = 0;
    do to[n++] = digits[v % most];
    while (v /= most);
    to[n] = 0;
}
static int word(unsigned v)
{
    char text[12] = {0};
    reversed(text, v);
    if (!strcmp(text, "dead")) return -7;
    return (int)strlen(text) + (memcmp(text, "fee", 3) == 0) * 10;
}
static int named(int k)
{
    static const char *const names[] = {"spring", "summer", "autumn"};
    return (int)strlen(names[k % 3]) + names[k % 3][0];
}

#pragma regraph size(n=3000) size(n=1) size(n=37) extent(a: n) extent(s: n) extent(o: n) extent(h: n)
void decode(const uint32_t *restrict a, const char *restrict s, int n, uint32_t *restrict o, int *restrict h)
{
    for (int i = 0; i < n; i++) {
        o[i] = blend(a[i], a[(i + 1) % n]);
        h[i] = digit(s[i]) + word(a[i] & 0xffff) + (isalpha((unsigned char)s[i]) ? named(i) : 0);
    }
}
