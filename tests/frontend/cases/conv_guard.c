#pragma regraph size(h=60, w=70, r=2)
void blur(const unsigned char *in, unsigned char *out, int h, int w, int r)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = 0, count = 0;
            for (int dy = -r; dy <= r; dy++)
                for (int dx = -r; dx <= r; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
                        sum += in[yy * w + xx];
                        count++;
                    }
                }
            out[y * w + x] = (unsigned char)(sum / count);
        }
}
#pragma regraph extent(in: h, w)
// explain: in is read as in[h][w]
// not: opaque parts
