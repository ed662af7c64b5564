// Tiles of 64 whose counter is multiplied in the condition. want: parallel
// chain: parallelize@C
#pragma regraph size(w=200, h=130) size(w=64, h=64) size(w=3, h=5)
void tiles(const unsigned char *src, unsigned w, unsigned h, unsigned *sum)
{
    const unsigned tw = (w + 63) / 64;
    for (unsigned ty = 0; ty * 64 < h; ty++)
        for (unsigned tx = 0; tx < tw; tx++) {
            unsigned s = 0;
            for (unsigned y = ty * 64; y < h && y < (ty + 1) * 64; y++)
                for (unsigned x = tx * 64; x < w && x < (tx + 1) * 64; x++)
                    s += src[(unsigned long)y * w + x];
            sum[ty * tw + tx] = s;
        }
}
