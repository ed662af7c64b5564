/* Opinions on a town map that is closed in both directions: citizens on dark squares meet their four neighbours first,
   then those on light ones. Everybody rolls dice of their own. */
#include <stdio.h>
#include <stdlib.h>

struct town {
    int width, height;
    unsigned char *opinion; /* 0 or 1 */
    unsigned long long *dice;
};

static unsigned roll(unsigned long long *d)
{
    *d = *d * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(*d >> 40);
}

void meet(struct town *t, int evenings, unsigned stubborn, long *agree)
{
    const int w = t->width, h = t->height;
    for (int e = 0; e < evenings; e++) {
        for (int half = 0; half < 2; half++) {
            for (int y = 0; y < h; y++) {
                const int north = y == 0 ? h - 1 : y - 1;
                const int south = y == h - 1 ? 0 : y + 1;
                for (int x = 0; x < w; x++) {
                    if (((x + y) & 1) != half)
                        continue;
                    const int west = x ? x - 1 : w - 1;
                    const int east = x != w - 1 ? x + 1 : 0;
                    const int yes = t->opinion[north * w + x] + t->opinion[south * w + x] + t->opinion[y * w + west] +
                                    t->opinion[y * w + east];
                    const unsigned r = roll(&t->dice[y * w + x]);
                    if (r > stubborn * (unsigned)(1 + (yes == 2)))
                        t->opinion[y * w + x] = yes > 2 || (yes == 2 && (r & 1));
                }
            }
        }
    }
    long all = 0;
    for (int i = 0; i < w * h; i++) all += t->opinion[i];
    *agree = all;
}

int main(void)
{
    enum { W = 200, H = 120 };
    struct town t = {W, H, malloc(W * H), malloc(W * H * sizeof(unsigned long long))};
    long agree;
    for (int i = 0; i < W * H; i++) t.opinion[i] = rand() & 1, t.dice[i] = (unsigned long long)rand();
    meet(&t, 12, 4000000, &agree);
    printf("%ld\n", agree);
    return 0;
}
