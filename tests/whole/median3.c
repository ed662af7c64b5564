/* 3x3 median: a loop that steps a counter and two pointers, a local array filled by v[n++], a sort by macro. */
typedef unsigned char u8;
#define SORT2(a, b) do { if ((a) > (b)) { u8 t_ = (a); (a) = (b); (b) = t_; } } while (0)
void median(const u8 *src, u8 *dst, int w, int h, int stride)
{
    const u8 *row = src + stride;
    u8 *q = dst + w;
    for (int y = 1; y < h - 1; y++, row += stride, q += w)
        for (int x = 1; x < w - 1; x++) {
            u8 v[9]; int n = 0;
            for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) v[n++] = row[j * stride + x + i];
            for (int i = 0; i < 5; i++) for (int k = i + 1; k < 9; k++) SORT2(v[i], v[k]);
            q[x] = v[4];
        }
}
