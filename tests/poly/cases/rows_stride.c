// Rows of a pitch that nobody said: sizes are chosen at which those that are written do not overlap. want: parallel
void rows_stride(const unsigned char *src, unsigned char *dst, int width, int height, int stride)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int left = x > 0 ? src[y * stride + x - 1] : 0;
            dst[y * stride + x] = (left + src[y * stride + x]) / 2;
        }
}
