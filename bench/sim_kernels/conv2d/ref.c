void ref_conv2d(int n, const float *x, const float *w, float *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int a = -2; a <= 2; a++)
                for (int b = -2; b <= 2; b++)
                    if (i + a >= 0 && i + a < n && j + b >= 0 && j + b < n) s += w[(a + 2) * 5 + b + 2] * x[(i + a) * n + j + b];
            y[i * n + j] = s;
        }
}
