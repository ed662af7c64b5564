/* 3x3 convolution of each of 64 channels (last in memory) of b images of h by h, zero outside, then the positive part */
void ref_dwconv(int b, int h, const float *x, const float *w, float *y)
{
    for (int i = 0; i < b; i++)
        for (int r = 0; r < h; r++)
            for (int c = 0; c < h; c++)
                for (int k = 0; k < 64; k++) {
                    float s = 0;
                    for (int u = 0; u < 3; u++)
                        for (int v = 0; v < 3; v++) {
                            int p = r + u - 1, q = c + v - 1;
                            if (p >= 0 && p < h && q >= 0 && q < h) s += w[(u * 3 + v) * 64 + k] * x[((i * h + p) * h + q) * 64 + k];
                        }
                    y[((i * h + r) * h + c) * 64 + k] = s > 0 ? s : 0;
                }
}
