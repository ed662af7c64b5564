// Strides of two spans, elements of four: neighbours share them. want: sequential
#pragma regraph size(n=64) extent(x: 6 * n)
void shared(float *x, int n)
{
    for (int q = 1; q < n; q *= 4)
        for (int k = 0; k < n; k += 2 * q)
            for (int j = 0; j < q; j++) {
                float a = x[k + j], b = x[k + j + q], c = x[k + j + 2 * q], d = x[k + j + 3 * q];
                x[k + j] = a + b + c + d;
                x[k + j + q] = 0.5f * (a - b + c - d);
                x[k + j + 2 * q] = 0.25f * (a + b - c - d);
                x[k + j + 3 * q] = 0.125f * (a - b - c + d);
            }
}
