// A work array that the caller passes, and one of the file, in parts; one-based places, and conditions. want: parallel
// chain: parallelize,coalesce
#pragma regraph size(n=3000) size(n=5) extent(x: n) extent(work: 3*n) extent(to: n) input(to: permutation) input(x: uniform(-3, 3))
static float table[2 * 256];

void parts_work(int n, const int *to, const int *x, float *work)
{
    float *low = work, *mid = work + n, *high = mid + n;
    for (int i = 0; i < n; i++) low[i] = mid[i] = 0.5f * x[i];
    for (int i = 0; i < n; i++)
        if (x[i] > 0) high[i] = mid[to[i]] + 1;
    for (int i = 0; i < 256; i++) table[i] = i * i;
    for (int i = 0; i < 256; i++) table[256 + i] = table[x[i % n] + 3] + work[i % n];
    for (int i = 0; i < n; i++) low[i] = (high - 1)[to[i] + 1] + table[256 + i % 256];
}
