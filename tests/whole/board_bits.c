#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int rows, words;
    uint64_t *cells;
} board;

static inline void half(uint64_t a, uint64_t b, uint64_t *s, uint64_t *c) { *s = a ^ b; *c = a & b; }
static inline void full(uint64_t a, uint64_t b, uint64_t c, uint64_t *s, uint64_t *co)
{
    uint64_t t = a ^ b;
    *s = t ^ c;
    *co = (a & b) | (t & c);
}

static uint64_t left(const uint64_t *row, int w, int n) { return (row[w] << 1) | (row[(w + n - 1) % n] >> 63); }
static uint64_t right(const uint64_t *row, int w, int n) { return (row[w] >> 1) | (row[(w + 1) % n] << 63); }

static void generation(const uint64_t *in, uint64_t *out, int rows, int words)
{
    for (int r = 0; r < rows; r++) {
        const uint64_t *up = in + (size_t)((r + rows - 1) % rows) * words;
        const uint64_t *me = in + (size_t)r * words;
        const uint64_t *dn = in + (size_t)((r + 1) % rows) * words;
        for (int w = 0; w < words; w++) {
            uint64_t s1, c1, s2, c2, s3, c3, ones, t0, t1, t2;
            full(left(up, w, words), up[w], right(up, w, words), &s1, &c1);
            full(left(dn, w, words), dn[w], right(dn, w, words), &s2, &c2);
            half(left(me, w, words), right(me, w, words), &s3, &c3);
            full(s1, s2, s3, &ones, &t0);
            full(c1, c2, c3, &t1, &t2);
            uint64_t twos = t0 ^ t1, fours = t2 | (t0 & t1);
            out[(size_t)r * words + w] = twos & ~fours & (ones | me[w]);
        }
    }
}

void evolve(board *b, int gens)
{
    uint64_t *tmp = malloc((size_t)b->rows * b->words * sizeof *tmp);
    uint64_t *src = b->cells, *dst = tmp;
    for (int g = 0; g < gens; g++) {
        generation(src, dst, b->rows, b->words);
        uint64_t *t = src; src = dst; dst = t;
    }
    if (src != b->cells) memcpy(b->cells, src, (size_t)b->rows * b->words * sizeof *tmp);
    free(tmp);
}

int main(void)
{
    board b = { 1024, 16, NULL };
    b.cells = malloc((size_t)b.rows * b.words * 8);
    for (int i = 0; i < b.rows * b.words; i++) b.cells[i] = ((uint64_t)rand() << 33) ^ ((uint64_t)rand() << 11) ^ rand();
    evolve(&b, 101);
    int alive = 0;
    for (int i = 0; i < b.rows * b.words; i++) alive += __builtin_popcountll(b.cells[i]);
    printf("%d\n", alive);
    free(b.cells);
    return 0;
}
