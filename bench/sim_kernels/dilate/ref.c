/* grey dilation: the greatest of the 9 x 9 pixels around, as far as they are inside */
void ref_dilate(int w, int h, const unsigned char *in, unsigned char *out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int m = 0;
            for (int j = -4; j <= 4; j++)
                for (int i = -4; i <= 4; i++) {
                    int u = x + i, v = y + j;
                    if (u >= 0 && u < w && v >= 0 && v < h && in[v * w + u] > m) m = in[v * w + u];
                }
            out[y * w + x] = m;
        }
}
