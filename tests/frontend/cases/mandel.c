#pragma regraph size(w=60, h=40, maxit=30)
void mandel(int w, int h, int maxit, int *out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float cr = -2.0f + 3.0f * x / w, ci = -1.0f + 2.0f * y / h, zr = 0, zi = 0;
            int it = 0;
            while (it < maxit && zr * zr + zi * zi < 4.0f) {
                float t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                it++;
            }
            out[y * w + x] = it;
        }
}
