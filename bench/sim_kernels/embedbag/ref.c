/* b bags of 16 rows of a table of t rows of 64, summed */
void ref_embedbag(int t, int b, const int *idx, const float *w, float *y)
{
    for (int i = 0; i < b; i++)
        for (int j = 0; j < 64; j++) {
            float s = 0;
            for (int k = 0; k < 16; k++) s += w[idx[i * 16 + k] * 64 + j];
            y[i * 64 + j] = s;
        }
}
