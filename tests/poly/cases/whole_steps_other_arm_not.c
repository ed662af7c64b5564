// want: parallel
/* Steps of two where the size is even, another loop where it is not: the sizes stay what they are. */
#pragma regraph size(h=61, w=40, twice=0)
int rows(int h, int w, int twice, const float *x, float *y)
{
    if (h <= 0 || w <= 0) return -1;
    if (h % 2 == 0) {
        for (int r = 0; r < h; r += 2)
            for (int c = 0; c < w; c++) {
                y[r * w + c] = x[r * w + c] * 2;
                y[(r + 1) * w + c] = x[(r + 1) * w + c] + 1;
            }
    } else
        for (int r = 0; r < h; r++)
            for (int c = 0; c < w; c++) y[r * w + c] = x[r * w + c] * 3;
    if (twice == 1)
        for (int r = 0; r < h; r += 4)
            for (int c = 0; c < w; c++) {
                y[r * w + c] += 2;
                y[(r + 2) * w + c] += 2;
            }
    return 0;
}
