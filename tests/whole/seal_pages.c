/* A checksum for each page, over a mark that is a constant of the function's own and the page, by helpers that are
 * given arrays of a structure. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint32_t h[4];
    uint8_t rest[16];
    size_t fill;
} sum_state;

static void stir(uint32_t h[4], const uint8_t *p)
{
    for (int i = 0; i < 16; i++) {
        uint32_t t = (h[0] << 5 | h[0] >> 27) + (h[1] ^ p[i]);

        h[0] = h[1];
        h[1] = h[2] * 2654435761u;
        h[2] = h[3];
        h[3] = t;
    }
}

static void take(sum_state *s, const uint8_t *data, size_t len)
{
    while (len > 0) {
        size_t n = 16 - s->fill;

        if (n > len) n = len;
        memcpy(s->rest + s->fill, data, n);
        s->fill += n;
        data += n;
        len -= n;
        if (s->fill == 16) {
            stir(s->h, s->rest);
            s->fill = 0;
        }
    }
}

static void seal(const uint8_t *page, size_t len, uint32_t *out)
{
    static const uint8_t mark = 0x5a;
    sum_state s;

    for (int i = 0; i < 4; i++) s.h[i] = 0x9e3779b9u * (uint32_t)(i + 1);
    for (int i = 0; i < 16; i++) s.rest[i] = 0;
    s.fill = 0;
    take(&s, &mark, 1);
    take(&s, page, len);
    stir(s.h, s.rest);
    for (int i = 0; i < 4; i++) out[i] = s.h[i];
}

void seal_pages(int pages, int length, const uint8_t *data, uint32_t *seals)
{
    for (int i = 0; i < pages; i++) seal(data + (size_t)i * length, (size_t)length, seals + 4 * i);
}
