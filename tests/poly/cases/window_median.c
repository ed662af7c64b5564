// A window's pixels that lie in the picture, in an array of all windows: the one in the middle always is. want: parallel
#pragma regraph size(h=60, w=90) size(h=7, w=5) size(h=1, w=1)
static void ordered(float *v, int n)
{
    for (int i = 1; i < n; i++) {
        float t = v[i];
        int j = i - 1;
        while (j >= 0 && v[j] > t) {
            v[j + 1] = v[j];
            j--;
        }
        v[j + 1] = t;
    }
}
void window_median(int h, int w, const float src[h * w], float dst[h * w])
{
    float list[9];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                    list[n++] = src[yy * w + xx];
                }
            ordered(list, n);
            dst[y * w + x] = n % 2 ? list[n / 2] : 0.5f * (list[n / 2 - 1] + list[n / 2]);
        }
}
