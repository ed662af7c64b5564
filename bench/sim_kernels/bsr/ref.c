/* C = A B: A has m rows of eight 16x16 blocks at block columns col, B and C have 64 columns */
void ref_bsr(int m, const int *col, const float *val, const float *B, float *C)
{
    for (int r = 0; r < m; r++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 64; j++) {
                float s = 0;
                for (int b = 0; b < 8; b++)
                    for (int k = 0; k < 16; k++) s += val[((r * 8 + b) * 16 + i) * 16 + k] * B[(col[r * 8 + b] * 16 + k) * 64 + j];
                C[(r * 16 + i) * 64 + j] = s;
            }
}
