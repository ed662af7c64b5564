#pragma regraph size(n=200, steps=5) extent(a: n) extent(b: n)
void smooth_swap(int n, int steps, float *a, float *b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
        b[0] = a[0];
        b[n - 1] = a[n - 1];
        float *tmp = a;
        a = b;
        b = tmp;
    }
}
// explain: t < steps / 2
// not: opaque parts
