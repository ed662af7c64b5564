// String literals that helpers go along, that pointers name for good, and that a subscript is of. want: parallel
// chain: parallelize@C
// shows: rg_characters
// lacks: opaque
#include <stdbool.h>
#pragma regraph size(n=2000, m=7) size(n=33, m=3) size(n=1, m=5) extent(text: 8*n) extent(kind: n) extent(hex: 2*n) extent(sign: n)
struct cursor {
    const char *at, *end;
};
static const char *const digits = "0123456789abcdef";
static bool word(struct cursor *c, const char *w)
{
    while (*w) {
        if (c->at == c->end || (*c->at & 3) != (*w & 3)) return false;
        c->at++;
        w++;
    }
    return true;
}
void literal_words(int n, int m, const unsigned char *text, int *kind, char *hex, char *sign)
{
    const char *signs = "+-";
    for (int i = 0; i < n; i++) {
        struct cursor c = {(const char *)text + 8 * i, (const char *)text + 8 * i + m};
        int k = 0;
        if (word(&c, "tr")) k = 1;
        else if (word(&c, "no\xff")) k = 2;
        else if (word(&c, "tr")) k = 3;
        kind[i] = k + (int)(c.end - c.at);
        hex[2 * i] = digits[text[8 * i] >> 4];
        hex[2 * i + 1] = "0123456789ABCDEF"[text[8 * i] & 15];
        sign[i] = signs[text[8 * i + 1] & 1];
    }
}
