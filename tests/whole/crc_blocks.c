#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>

/* CRC-32 of each block of a disk image, table built when first needed */
static uint32_t crc_table[256];
static bool crc_table_ready = false;

static void build_table(void)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        crc_table[n] = c;
    }
    crc_table_ready = true;
}

static uint32_t crc_of(const uint8_t *p, size_t len)
{
    uint32_t c = 0xffffffffu;
    while (len--) c = crc_table[(c ^ *p++) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}

void checksum_blocks(const uint8_t *image, size_t blocks, size_t block_size, uint32_t *sums)
{
    if (!crc_table_ready) build_table();
    for (size_t b = 0; b < blocks; b++) sums[b] = crc_of(image + b * block_size, block_size);
}
