// Numbers in the types that C converts them to: what comes round in one is not what was written. want: parallel
#pragma regraph size(n = 3000) size(n = 1)
#include <stdlib.h>
struct settings {
    unsigned w;
    unsigned char b;
    short s;
    long l;
    int *p;
};
static struct settings *made(int n)
{
    struct settings *c = malloc(sizeof *c);
    c->w = 5;
    c->b = 255;
    c->s = (short)40000;
    c->l = 0xFFFFFFFFu;
    c->p = malloc(n * sizeof(int));
    return c;
}
static int low(void)
{
    return (unsigned char)256;
}
static unsigned turned(void)
{
    return 2u - 3u;
}
void number_types(int n, int *restrict out, const int *restrict in, int *restrict rest)
{
    struct settings *c = made(n);
    int is = 0, column = 0, row = 7;
    if ((short)65536 || 0) is += 1;
    if (0xFFFFFFFFu + 1u) is += 2;
    if ((5u - 6u) / 2) is += 4;
    if (low()) is += 8;
    if (turned() / 2 || low()) is += 16;
    if (c->w - 6 > 0) is += 32;
    c->b++;
    if (c->b) is += 64;
    if (c->s < 0) is += 128;
    if ((int)c->l < 0) is += 256;
    c->w -= 7;
    if (c->w > 100) is += 512;
    c->w = c->w / 2;
    if (c->w == 0) is += 1024;
    int below = -1;
    if (below < c->w) is += 2048;
    for (int i = 0; i < n; i++) {
        column += 2;
        if (column == (unsigned char)260) {
            column = 0;
            row += 3000000000u;
        }
        c->p[i] = in[i] + is + column + row;
    }
    for (int i = 0; i < n; i++) out[i] = c->p[i] * 2;
    rest[0] = column;
    rest[1] = row;
    free(c->p);
    free(c);
}
