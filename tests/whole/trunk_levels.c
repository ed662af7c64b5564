/* Levels of the lines of a trunk card: the loudest sample of each block of each line, and how many blocks were loud.
 * The card holds how many lines there are in 16 bits; whoever sets it up says it in an int. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 64u

typedef struct {
    uint16_t lines;
    uint32_t blocks;
    int16_t *samples;
    uint16_t *level;
    uint32_t loud;
} card_t;

static card_t card;

void card_open(int lines, int blocks)
{
    uint32_t seed = 99u;
    card.lines = (uint16_t)lines;
    card.blocks = (uint32_t)blocks;
    card.samples = malloc((size_t)lines * blocks * BLOCK * sizeof(int16_t));
    card.level = malloc((size_t)lines * blocks * sizeof(uint16_t));
    for (int i = 0; i < lines * blocks * (int)BLOCK; i++) {
        seed = seed * 1664525u + 1013904223u;
        card.samples[i] = (int16_t)((seed >> 20) % (1u + (uint32_t)i % 777u));
    }
    for (int i = 0; i < lines * blocks; i++) card.level[i] = 0;
}

void card_measure(void)
{
    uint32_t loud = 0u;
    for (uint16_t k = 0u; k < card.lines; k++)
        for (uint32_t b = 0u; b < card.blocks; b++) {
            const uint32_t slot = k * card.blocks + b;
            const int16_t *at = &card.samples[slot * BLOCK];
            uint8_t top = 0u;
            for (uint8_t i = 0u; i < BLOCK; i++)
                if (at[i] > at[top]) top = i;
            card.level[slot] = (uint16_t)at[top];
            if (at[top] > 400) loud++;
        }
    card.loud = loud;
}

int main(void)
{
    uint32_t sum = 0u;
    card_open(12, 30);
    card_measure();
    for (int i = 0; i < 360; i++) sum = sum * 31u + card.level[i];
    printf("%u loud, %08x\n", (unsigned)card.loud, (unsigned)sum);
    free(card.samples);
    free(card.level);
    return 0;
}
