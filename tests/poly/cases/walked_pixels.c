// Pointers that step several times an iteration, to a count of pixels that runs down or to an end. want: parallel
// chain: parallelize,coalesce
// lacks: kernel1<<<1, 1>>>
#pragma regraph size(width=60, height=40) size(width=1, height=1) size(width=7, height=3) size(width=3, height=8)
#pragma regraph extent(rgb: 3*width*height) extent(grey: width*height) extent(uv: 2*width*height) input(rgb: uniform(0, 255))
static int clipped(int v)
{
    if (v < 0) return 0;
    if (v > 255) return 255;
    return v;
}

void walked_pixels(int width, int height, unsigned char *rgb, int *grey, short *uv)
{
    int table[256];
    long left = (long)width * height;
    unsigned char *p = rgb, *end = rgb + 3L * width * height;
    int *g = grey;
    for (int i = 0; i < 256; i++) table[i] = i * i / 255;
    while (left-- > 0) {
        int r = table[p[0]], b = table[p[2]];
        *p++ = (unsigned char)clipped(r - 3);
        *p++ = (unsigned char)clipped(r + b);
        *p++ = (unsigned char)clipped(b + 9);
    }
    p = rgb;
    while (p < end) {
        int r = *p++, green = *p++;
        *g++ = (r + 2 * green + *p++) / 4;
    }
    left = (long)width * height;
    g = grey;
    for (; left; --left) {
        *uv++ = (short)(*g - 7);
        *uv++ = (short)(*g++ * 3);
    }
}
