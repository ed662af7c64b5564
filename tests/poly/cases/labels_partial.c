// Labels that spread over an image whose last row nobody touches to its end. want: parallel
void labels_partial(int *label, const unsigned char *img, int w, int h)
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) {
                int i = y * w + x;
                if (!img[i]) continue;
                int m = label[i];
                if (img[i - 1] && label[i - 1] < m) m = label[i - 1];
                if (img[i + 1] && label[i + 1] < m) m = label[i + 1];
                if (img[i - w] && label[i - w] < m) m = label[i - w];
                if (img[i + w] && label[i + w] < m) m = label[i + w];
                if (m < label[i]) { label[i] = m; changed = 1; }
            }

    }
    
}
