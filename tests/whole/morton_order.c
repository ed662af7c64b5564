/* two passes over 16-bit Morton codes computed from points, payload arrays moved with the keys */
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
static uint32_t spread(uint32_t x)
{
    x &= 0xff;
    x = (x | (x << 4)) & 0x0f0f;
    x = (x | (x << 2)) & 0x3333;
    x = (x | (x << 1)) & 0x5555;
    return x;
}
void morton_order(const float *x, const float *y, int n, uint32_t *code, int *id)
{
    uint32_t *code2 = malloc(n * sizeof *code2);
    int *id2 = malloc(n * sizeof *id2);
    unsigned cnt[256];
    for (int i = 0; i < n; i++) {
        code[i] = spread((uint32_t)(x[i] * 255.0f)) | spread((uint32_t)(y[i] * 255.0f)) << 1;
        id[i] = i;
    }
    for (int byte = 0; byte < 2; byte++) {
        const uint32_t *ci = byte ? code2 : code;
        const int *ii = byte ? id2 : id;
        uint32_t *co = byte ? code : code2;
        int *io = byte ? id : id2;
        for (int k = 0; k < 256; k++) cnt[k] = 0;
        for (int i = 0; i < n; i++) cnt[(ci[i] >> (8 * byte)) & 255]++;
        unsigned total = 0;
        for (int k = 0; k < 256; k++) {
            unsigned c = cnt[k];
            cnt[k] = total;
            total += c;
        }
        for (int i = 0; i < n; i++) {
            unsigned at = cnt[(ci[i] >> (8 * byte)) & 255]++;
            co[at] = ci[i];
            io[at] = ii[i];
        }
    }
    free(code2);
    free(id2);
}
int main(void)
{
    static float x[1000], y[1000];
    static uint32_t c[1000];
    static int id[1000];
    for (int i = 0; i < 1000; i++) x[i] = (i * 37 % 1000) / 1000.f, y[i] = (i * 91 % 1000) / 1000.f;
    morton_order(x, y, 1000, c, id);
    uint32_t h = 0;
    for (int i = 0; i < 1000; i++) h = h * 31 + id[i] + c[i];
    printf("%u\n", h);
    return 0;
}
