/* the 8 largest of each of m rows of 2048, largest first */
void ref_topk(int m, const float *x, float *y)
{
    for (int i = 0; i < m; i++) {
        float best[8];
        for (int k = 0; k < 8; k++) best[k] = -1;
        for (int j = 0; j < 2048; j++) {
            float v = x[i * 2048 + j];
            for (int k = 0; k < 8; k++)
                if (v > best[k]) { float t = best[k]; best[k] = v; v = t; }
        }
        for (int k = 0; k < 8; k++) y[i * 8 + k] = best[k];
    }
}
