// Coordinates that are clamped by conditions one behind the other: how far they reach is read off these. want: parallel
#pragma regraph size(w=500, h=300, m=64) size(w=13, h=7, m=3)
void warp(int w, int h, int m, const float *src, const float *fx, const float *fy, const float *table, const float *row, float *dst)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sx = (int)(fx[y * w + x] * 3 + x), sy = (int)(fy[y * w + x] * 5 + y);
            if (sx < 0) sx = 0;
            if (sx >= w) sx = w - 1;
            if (sy < 0) sy = 0;
            else if (sy >= h) sy = h - 1;
            int k = (int)(src[sy * w + sx] * m);
            if (k > m - 1) k = m - 1;
            k = k < 0 ? 0 : k;
            float v = 0;
            for (int d = -2; d <= 2; d++) {
                int at = x + d;
                if (at < 0) at = -at;
                if (at >= w) at = 2 * w - 2 - at;
                v += row[at];
            }
            dst[y * w + x] = table[k] + v;
        }
}
