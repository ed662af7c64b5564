// want: parallel
// Which of two buffers has the result depends on the number of steps; and rows above and below are places in one array, at the border
// the row itself.
#pragma regraph size(w=64,h=48,steps=7) extent(a: w*h) extent(b: w*h)
float *smooth(float *a, float *b, int w, int h, int steps)
{
    float *src = a, *dst = b;
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < h; y++) {
            const float *row = src + y * w;
            const float *up = y > 0 ? row - w : row, *down = y < h - 1 ? row + w : row;
            for (int x = 0; x < w; x++) dst[y * w + x] = 0.25f * (up[x] + 2 * row[x] + down[x]);
        }
        float *s = src;
        src = dst;
        dst = s;
    }
    return src;
}
