// The quad's rows and columns by quotient and remainder of one counter. want: parallel
// chain: parallelize@C
void quads(int w, int h, int pitch, const float *y, float *dst)
{
    for (int r = 0; r < h; r += 2)
        for (int c = 0; c < w; c += 2)
            for (int k = 0; k < 4; k++)
                dst[pitch * (r + (k >> 1)) + c + (k & 1)] = y[r * w + c] + k;
}
