// want: sequential
/* The last digit is -1 .. h - 1, and 0 .. h: points meet. */
#pragma regraph size(w=96, h=40) extent(dst: w * h + h + 1) extent(src: w * h)
void turned(int w, int h, int turn, const unsigned char *src, unsigned short *dst)
{
    for (int y = 0; y <= h; y++)
        for (int x = 0; x < w; x++) dst[x * h + (h - y)] = src[y < h ? y * w + x : 0] * 3;
}
