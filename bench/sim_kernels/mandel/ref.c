/* iterations of z*z + c until |z| > 2; every product and sum rounded by itself */
void ref_mandel(int w, int h, int limit, int *it)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float cx = x * (3.0f / 2048) - 2.0f, cy = y * (3.0f / 2048) - 1.5f, a = 0, b = 0;
            int k = 0;
            while (k < limit) {
                float aa = a * a, bb = b * b;
                if (aa + bb > 4.0f) break;
                b = 2.0f * a * b + cy;
                a = aa - bb + cx;
                k++;
            }
            it[y * w + x] = k;
        }
}
