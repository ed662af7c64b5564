#pragma regraph size(h=1080, w=1920)
/* image histogram of unsigned char, fixed bins */
void image_hist(int h, int w, const unsigned char img[h][w], unsigned int hist[256])
{
    for (int i = 0; i < 256; i++) hist[i] = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            hist[img[y][x]] += 1;
}
