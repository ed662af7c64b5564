/* a filter of 128 taps */
void ref_fir(int n, const float *h, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 128; k++) s += h[k] * x[i + k];
        y[i] = s;
    }
}
