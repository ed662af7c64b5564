// What shifts lose is lost: two iterations meet in one element. want: sequential
// chain: sequential
#pragma regraph size(n=3000) size(n=40) extent(a: n) extent(low: 16)
void lost(int n, const int *a, float *low)
{
    for (int i = 0; i < n; i++) {
        const int last = (int)((unsigned)i << 28) >> 28;
        low[last + 8] = low[last + 8] * 0.5f + (float)a[i];
    }
}
