// A power of two that few rounds ask for: the others may be more than it has bits. want: parallel
// lacks: power
#pragma regraph size(n=1000, m=70) size(n=8, m=3) size(n=3,m=40) extent(x: n)
void rounds_few_powers(int n, int m, float *x)
{
    for (int s = 0; s < m; s++) {
        if (s < 10)
            for (int i = 0; i < n; i += 1 << s) x[i] += 1.0f;
        else
            for (int i = 0; i < n; i += 7) x[i] *= 0.5f;
    }
}
