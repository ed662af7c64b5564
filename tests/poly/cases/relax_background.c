// Labels of an image spread from point to neighbour; the background's stay what they are, whatever the order. want: parallel
#pragma regraph size(h=40, w=50) size(h=7, w=5) size(h=16, w=33) input(img: uniform(0, 1))
void blobs(int h, int w, const unsigned char img[h * w], int lab[h * w])
{
    int changed;
    for (int i = 0; i < h * w; i++) lab[i] = img[i] ? i + 1 : 0;
    do {
        changed = 0;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int p = y * w + x, least = lab[p];
                if (!lab[p]) continue;
                if (x > 0 && lab[p - 1] && lab[p - 1] < least) least = lab[p - 1];
                if (y > 0 && lab[p - w] && lab[p - w] < least) least = lab[p - w];
                if (x < w - 1 && lab[p + 1] && lab[p + 1] < least) least = lab[p + 1];
                if (y < h - 1 && lab[p + w] && lab[p + w] < least) least = lab[p + w];
                if (least < lab[p]) {
                    lab[p] = least;
                    changed = 1;
                }
            }
    } while (changed);
}
