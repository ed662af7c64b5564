/* Windows that overlap by half: steps and bounds that are written as computations with numbers, beside counters. */
#define WIN 16

// function: psd
// explain(psd): for (int start = 0; start < n / 8 - 1; start++) {
// not(psd): opaque parts
#pragma regraph size(n=300) extent(x: n) extent(y: 16)
void psd(int n, const float *x, float *y)
{
    int count = 0;
    for (int f = 0; f < WIN; f++) y[f] = 0;
    for (int start = 0; start + WIN <= n; start += WIN / 2) {
        for (int f = 0; f < WIN; f++) y[f] += x[start + f];
        count++;
    }
    if (count == 0) return;
    for (int f = 0; f < WIN; f++) y[f] /= count;
}

// function: steps
// not(steps): opaque parts
#pragma regraph size(n=300) extent(x: n) extent(y: n) extent(z: n)
void steps(unsigned n, const int *x, int *y, int *z)
{
    int k = 0;
    for (unsigned i = 0; i < n; i += 6 / 2 - 1) {
        y[i] = x[i];
        z[k++] = x[i] + 1;
    }
    for (int i = (int)n - 1; i > WIN; i -= WIN % 5 + 1) y[i]++;
    for (int i = WIN; i < (int)n - WIN; i = i + (1 << 1)) z[i]++;
}
