#include <stdlib.h>
/* an image as BMP files hold it: the last line first, and each line padded to a multiple of four */
void blur_lines(int w, int h, const unsigned char *in, unsigned char *out)
{
    unsigned char **line = malloc(h * sizeof *line);
    int pitch = (w + 3) / 4 * 4;
    line[0] = malloc((size_t)h * pitch);
    for (int y = 1; y < h; y++) line[y] = line[0] + (h - y) * pitch;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) line[y][x] = in[y * w + x];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int l = x ? x - 1 : x, r = x < w - 1 ? x + 1 : x;
            out[y * w + x] = (line[y][l] + 2 * line[y][x] + line[y][r]) / 4;
        }
    free(line[0]);
    free(line);
}
