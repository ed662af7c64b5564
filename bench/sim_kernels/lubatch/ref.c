/* b systems of 32 equations, 40 added to every diagonal element: elimination without pivots */
void ref_lubatch(int b, const float *A, const float *r, float *x)
{
    for (int s = 0; s < b; s++) {
        float m[32][32], v[32];
        for (int i = 0; i < 32; i++) {
            for (int j = 0; j < 32; j++) m[i][j] = A[s * 1024 + i * 32 + j] + (i == j ? 40 : 0);
            v[i] = r[s * 32 + i];
        }
        for (int k = 0; k < 32; k++)
            for (int i = k + 1; i < 32; i++) {
                float f = m[i][k] / m[k][k];
                for (int j = k + 1; j < 32; j++) m[i][j] -= f * m[k][j];
                v[i] -= f * v[k];
            }
        for (int i = 31; i >= 0; i--) {
            for (int j = i + 1; j < 32; j++) v[i] -= m[i][j] * v[j];
            v[i] /= m[i][i];
        }
        for (int i = 0; i < 32; i++) x[s * 32 + i] = v[i];
    }
}
