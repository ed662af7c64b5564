// want: sequential
/* What is chosen goes on from what it was, is narrowed, or hangs on what changes in between: it stands as it is. */
#pragma regraph size(w=30, h=20, mode=0) size(w=30, h=21, mode=1) size(w=3, h=2, mode=2) size(w=1, h=1, mode=1)
#pragma regraph extent(src: w * h) extent(a: 4 * w * h + 300) extent(b: 4 * w * h) extent(c: 300) extent(d: 2 * w * h + 2)
void places_chosen_not(int w, int h, int mode, const unsigned char *src, int *a, int *b, int *c, int *d)
{
    int at = 0, k = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int v = src[y * w + x], row = y * w;
            if (mode) at = at + 1;
            else at = x * h + y;
            a[at] = a[at + 1] + v;
            int o = row + x;
            if (mode == 2) o = x * h + row / w;
            row = 2 * w * h;
            b[o + row] = b[o] + v;
            c[(unsigned char)(mode ? x * h + y : y * w + x)] += v ^ c[0];
            if (mode & 1) k = x * h + y;
            else k += 2;
            d[k] = d[k / 2] + v;
        }
}
