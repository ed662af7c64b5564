// Blocks of 8 by 8 whose number is made of the pixel's: (by + y) / 8 is the block's row, bx / 8 * 64 its place in it. want: parallel
// chain: parallelize,coalesce
#pragma regraph size(bw=6, bh=4) size(bw=2, bh=3)
#pragma regraph extent(image: 64*bw*bh) extent(blocks: 64*bw*bh) extent(sums: bw*bh)
void cut(int bw, int bh, const unsigned char *image, short *blocks, int *sums)
{
    const int w = 8 * bw;
    for (int by = 0; by < 8 * bh; by += 8)
        for (int bx = 0; bx < w; bx += 8) {
            short *to = blocks + ((by / 8) * bw + bx / 8) * 64;
            int sum = 0;
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++) {
                    to[y * 8 + x] = (short)(image[(by + y) * w + bx + x] - 128);
                    sum += image[(by + y) * w + bx + x];
                }
            sums[(by + 7) / 8 * bw + (bx >> 3)] = sum;
        }
}
