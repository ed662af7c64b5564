#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static unsigned int table[256];
static int ready = 0;

static void build(void)
{
    unsigned int c; int n, k;
    for (n = 0; n < 256; n++) {
        c = (unsigned int)n;
        for (k = 0; k < 8; k++) {
            if (c & 1) c = 0xEDB88320u ^ (c >> 1);
            else c >>= 1;
        }
        table[n] = c;
    }
    ready = 1;
}

static unsigned int crc32_block(const unsigned char *buf, int len)
{
    unsigned int c = 0xffffffffu;
    int i;
    if (!ready) build();
    for (i = 0; i < len; i++) c = table[(c ^ buf[i]) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}

void crc_all(const unsigned char *data, int nblocks, int blocklen, unsigned int *out)
{
    int b;
    for (b = 0; b < nblocks; b++) out[b] = crc32_block(data + (size_t)b * blocklen, blocklen);
}

int main(void)
{
    static unsigned char d[4096 * 64];
    unsigned int o[64];
    for (int i = 0; i < (int)sizeof d; i++) d[i] = (unsigned char)(i * 7);
    crc_all(d, 64, 4096, o);
    printf("%08x\n", o[3]);
    return 0;
}
