/* Water moves through a pipe network until the rounds are used up or nothing flows. Every junction has a few outlets;
   the list of a junction ends at the first slot that holds NONE. */
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 6, NONE = 65535 };

unsigned settle_water(size_t junctions, const unsigned short outlet[], const float gain[], float level[], float next[],
                      unsigned budget)
{
    while (budget--) {
        float moved = 0.0f;
        for (size_t j = 0; j != junctions; ++j) {
            float got = 0.25f * level[j];
            size_t slot = 0;
            while (slot < SLOTS) {
                const unsigned short o = outlet[j * SLOTS + slot];
                if (o == NONE)
                    break;
                got += gain[j * SLOTS + slot] * level[o];
                slot++;
            }
            next[j] = got;
            moved += got;
        }
        if (!(moved > 0.5f))
            break;
        for (size_t j = 0; j != junctions; ++j)
            level[j] = next[j];
    }
    return budget;
}

void lay_pipes(size_t junctions, unsigned short outlet[], float gain[], float level[])
{
    unsigned r = 77;
    for (size_t j = 0; j < junctions; j++) {
        unsigned used = 1 + (unsigned)(j * 7 % SLOTS);
        for (unsigned s = 0; s < SLOTS; s++) {
            r = r * 1103515245u + 12345u;
            outlet[j * SLOTS + s] = s < used ? (unsigned short)((r >> 8) % junctions) : NONE;
            gain[j * SLOTS + s] = 0.1f;
        }
        level[j] = 1.0f + (float)(j % 13);
    }
}

int main(void)
{
    size_t n = 20000;
    unsigned short *o = malloc(n * SLOTS * sizeof *o);
    float *g = malloc(n * SLOTS * sizeof *g), *l = malloc(n * sizeof *l), *t = malloc(n * sizeof *t);
    lay_pipes(n, o, g, l);
    printf("%u\n", settle_water(n, o, g, l, t, 12));
    return 0;
}
