// The window leaves its middle out: none may be listed, and then what the window before has left is read. want: sequential
#pragma regraph size(h=60, w=90) size(h=7, w=5) size(h=1, w=1)
void window_median_not(int h, int w, const float src[h * w], float dst[h * w])
{
    float list[9];
    for (int k = 0; k < 9; k++) list[k] = 1;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w || src[yy * w + xx] < 0.4f) continue;
                    list[n++] = src[yy * w + xx];
                }
            dst[y * w + x] = list[n / 2];
        }
}
