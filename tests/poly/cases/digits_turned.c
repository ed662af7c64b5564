// want: parallel
/* Rows of one length, and the other one where the picture is turned: x h + h - 1 - y is two digits to base h, too. */
#pragma regraph size(w=96, h=40, turn=1) extent(dst: w * h) extent(src: w * h)
void turned(int w, int h, int turn, const unsigned char *src, unsigned short *dst)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned short px = src[y * w + x] * 3;
            if (turn == 1)
                dst[x * h + (h - 1 - y)] = px;
            else if (turn == 3)
                dst[(w - 1 - x) * h + y] = px;
            else
                dst[(h - 1 - y) * w + w - 1 - x] = px;
        }
}
