void smooth(int n, const float *in, float *a, float *b)
{
    for (int i = 0; i < n; i++) a[i] = in[i];
    for (int s = 1; s < n; s <<= 1) {
        for (int i = 0; i < n; i++) b[i] = i >= s ? a[i] + a[i-s] : a[i];
        for (int i = 0; i < n; i++) a[i] = b[i];
    }
}
