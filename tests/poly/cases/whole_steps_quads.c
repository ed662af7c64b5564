// Pixels by quads of two rows and two columns: heights and widths are even. want: parallel
// chain: parallelize@C
void quads(int w, int h, int pitch, const unsigned char *y, unsigned *dst)
{
    for (int r = 0; r < h; r += 2) {
        unsigned *d0 = dst + (long)r * pitch, *d1 = d0 + pitch;
        for (int c = 0; c < w; c += 2) {
            unsigned *ds[2] = {d0, d1};
            for (int k = 0; k < 4; k++)
                ds[k >> 1][c + (k & 1)] = y[r * w + c] + k;
        }
    }
}
