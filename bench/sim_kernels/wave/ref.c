/* the wave equation, fourth order in space; a is the field before, b the field now */
void ref_wave(int n, int steps, float c, float *a, float *b)
{
    for (int t = 0; t < steps; t++) {
        float *p = t % 2 ? b : a, *q = t % 2 ? a : b;
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < n - 2; j++) {
                float l = -5.0f * q[i * n + j] + 1.3333334f * (q[i * n + j - 1] + q[i * n + j + 1] + q[(i - 1) * n + j] + q[(i + 1) * n + j])
                        - 0.083333336f * (q[i * n + j - 2] + q[i * n + j + 2] + q[(i - 2) * n + j] + q[(i + 2) * n + j]);
                p[i * n + j] = 2.0f * q[i * n + j] - p[i * n + j] + c * l;
            }
    }
}
