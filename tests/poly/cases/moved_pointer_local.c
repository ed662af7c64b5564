// A pointer in a loop that is set to one array or another, which only the run knows. want: parallel
#include <string.h>
struct entry {
    unsigned digest[4], length;
};
static void digest(const unsigned char *p, int len, unsigned *out)
{
    unsigned state[4];
    for (int i = 0; i < 4; i++) state[i] = i + 1;
    while (len > 0) {
        unsigned char tail[16] = {0};
        const unsigned char *src = p;
        int take = len < 16 ? len : 16;
        if (take < 16) {
            memcpy(tail, p, take);
            tail[take] = 0x80;
            src = tail;
        }
        for (int i = 0; i < 16; i++) state[i & 3] = state[i & 3] * 31u + src[i] + (state[(i + 1) & 3] >> 7);
        p += take;
        len -= take;
    }
    memcpy(out, state, sizeof state);
}

#pragma regraph size(n=3000) size(n=1) size(n=37) extent(data: n*50)
void digests(const unsigned char *restrict data, int n, struct entry *restrict out)
{
    for (int i = 0; i < n; i++) {
        out[i].length = 50 - i % 17;
        digest(data + 50 * i, 50 - i % 17, out[i].digest);
    }
}
