// Windows that grow until their middle value is none of their ends, in one array. want: parallel
#pragma regraph size(h=60, w=90) size(h=9, w=12) size(h=8, w=8)
#pragma regraph require(h > 7) require(w > 7)
#pragma regraph input(src: uniform(0, 40))
void window_grows(int h, int w, const int src[h * w], int dst[h * w])
{
    int list[49];
    for (int y = 3; y < h - 3; y++)
        for (int x = 3; x < w - 3; x++) {
            int result = src[y * w + x];
            for (int half = 1; half <= 3; half++) {
                int n = 0;
                for (int dy = -half; dy <= half; dy++)
                    for (int dx = -half; dx <= half; dx++) list[n++] = src[(y + dy) * w + x + dx];
                for (int i = 1; i < n; i++) {
                    int t = list[i], j = i - 1;
                    for (; j >= 0 && list[j] > t; j--) list[j + 1] = list[j];
                    list[j + 1] = t;
                }
                if (list[n / 2] > list[0] && list[n / 2] < list[n - 1]) {
                    result = list[n / 2];
                    break;
                }
            }
            dst[y * w + x] = result;
        }
}
