/* edges of the grey image, its rim is 0 */
static int grey(const unsigned char *p) { return (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8; }

void ref_sobel(int w, int h, const unsigned char *rgb, unsigned char *edge)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { edge[y * w + x] = 0; continue; }
            int g[3][3];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) g[i][j] = grey(rgb + 3 * ((y + i - 1) * w + x + j - 1));
            int gx = g[0][2] + 2 * g[1][2] + g[2][2] - g[0][0] - 2 * g[1][0] - g[2][0];
            int gy = g[2][0] + 2 * g[2][1] + g[2][2] - g[0][0] - 2 * g[0][1] - g[0][2];
            int m = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
            edge[y * w + x] = m > 255 ? 255 : m;
        }
}
