/* greedy LZ77 with a hash of three bytes */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_BITS 12
#define HASH_SIZE (1 << HASH_BITS)
#define MIN_MATCH 3
#define MAX_MATCH 255
#define WINDOW 4096

static uint32_t hash3(const uint8_t *p)
{
    uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return (v * 2654435761u) >> (32 - HASH_BITS);
}

/* out must have room for 2 * n bytes; returns how many were written */
size_t lz_compress(const uint8_t *in, size_t n, uint8_t *out)
{
    int table[HASH_SIZE];
    size_t pos = 0, o = 0;
    for (int i = 0; i < HASH_SIZE; i++) table[i] = -1;
    while (pos < n) {
        int best_len = 0, best_dist = 0;
        if (pos + MIN_MATCH <= n) {
            uint32_t h = hash3(in + pos);
            int cand = table[h];
            if (cand >= 0 && pos - (size_t)cand < WINDOW) {
                int len = 0;
                while (len < MAX_MATCH && pos + len < n && in[cand + len] == in[pos + len]) len++;
                if (len >= MIN_MATCH) {
                    best_len = len;
                    best_dist = (int)(pos - cand);
                }
            }
            table[h] = (int)pos;
        }
        if (best_len) {
            out[o++] = 0xff;
            out[o++] = (uint8_t)(best_dist & 0xff);
            out[o++] = (uint8_t)(best_dist >> 8);
            out[o++] = (uint8_t)best_len;
            pos += best_len;
        } else {
            out[o++] = in[pos] == 0xff ? 0xfe : in[pos];
            pos++;
        }
    }
    return o;
}

int main(void)
{
    const char *text = "abracadabra abracadabra abracadabra";
    uint8_t out[256];
    size_t k = lz_compress((const uint8_t *)text, strlen(text), out);
    printf("%zu -> %zu\n", strlen(text), k);
    return 0;
}
