// The k nearest to each query in a heap of its own, a row of the result: places in the heap stay below k. want: parallel
// chain: parallelize
#pragma regraph size(n=300,q=200,k=8) size(n=7,q=3,k=2) size(n=5,q=2,k=1) size(n=3,q=2,k=5) extent(best: q*k) extent(at: q*k)
typedef struct { float d; int id; } hit;

static void down(hit *h, int n, int i)
{
    hit x = h[i];
    while (2 * i + 1 < n) {
        int c = 2 * i + 1;
        if (c + 1 < n && h[c + 1].d > h[c].d) c++;
        if (h[c].d <= x.d) break;
        h[i] = h[c];
        i = c;
    }
    h[i] = x;
}

void nearest(int n, int q, int k, const float *p, const float *where, hit *best, int *at)
{
    for (int j = 0; j < q; j++) {
        hit *h = &best[j * k];
        int m = 0;
        for (int i = 0; i < n; i++) {
            float d = (p[i] - where[j]) * (p[i] - where[j]);
            if (m < k) {
                int c = m++;
                while (c > 0 && h[(c - 1) / 2].d < d) {
                    h[c] = h[(c - 1) / 2];
                    c = (c - 1) / 2;
                }
                h[c].d = d;
                h[c].id = i;
            } else if (d < h[0].d) {
                h[0].d = d;
                h[0].id = i;
                down(h, k, 0);
            }
        }
        for (int i = m; i < k; i++) h[i].d = -1, h[i].id = -1;
        for (int i = 0; i < k; i++) at[j * k + i] = h[i].id;
    }
}
