/* products of b pairs of complex 16x16 matrices */
void ref_bgemm(int b, const float *A, const float *B, float *C)
{
    for (int s = 0; s < b; s++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                float re = 0, im = 0;
                for (int k = 0; k < 16; k++) {
                    float a = A[s * 512 + 2 * (i * 16 + k)], c = A[s * 512 + 2 * (i * 16 + k) + 1], d = B[s * 512 + 2 * (k * 16 + j)], e = B[s * 512 + 2 * (k * 16 + j) + 1];
                    re += a * d - c * e;
                    im += a * e + c * d;
                }
                C[s * 512 + 2 * (i * 16 + j)] = re;
                C[s * 512 + 2 * (i * 16 + j) + 1] = im;
            }
}
