// The last place of a heap is the first of the next row. want: sequential
#pragma regraph size(n=60,q=20,k=8) size(n=7,q=3,k=2) extent(best: q*k + 1)
void sifted(int n, int q, int k, const float *p, float *best)
{
    for (int j = 0; j < q; j++) {
        float *h = best + j * k;
        for (int t = 0; t < n; t++) {
            int i = 0;
            h[0] += p[t];
            for (;;) {
                int m = i, l = 2 * i + 1;
                if (l <= k && h[l] < h[m]) m = l;
                if (l + 1 <= k && h[l + 1] < h[m]) m = l + 1;
                if (m == i) break;
                float x = h[i];
                h[i] = h[m];
                h[m] = x;
                i = m;
            }
        }
    }
}
