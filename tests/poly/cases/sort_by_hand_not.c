// No sorts: few passes, a bound that falls by two, a place left out, records whose ties show. want: parallel
// refused: parallelize@C : carries a dependence (flow) on a
struct rec {
    int key;
    float value;
};
#pragma regraph size(n=60,k=4) size(n=50,k=3) extent(a: n) extent(b: n) extent(c: n) extent(r: n)
void not_sorts(int n, int k, int *a, int *b, int *c, struct rec *r)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j + 1 < n; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - 2 * i; j++)
            if (b[j] > b[j + 1]) {
                int t = b[j];
                b[j] = b[j + 1];
                b[j + 1] = t;
            }
    for (int last = n - 1; last > 0; last--) {
        int most = 0;
        for (int j = 1; j < last; j++)
            if (c[j] > c[most]) most = j;
        int t = c[last];
        c[last] = c[most];
        c[most] = t;
    }
    for (int i = 0; i < n - 1; i++) {
        int m = i;
        for (int j = i + 1; j < n; j++)
            if ((r[j].key & 7) < (r[m].key & 7)) m = j;
        struct rec t = r[m];
        r[m] = r[i];
        r[i] = t;
    }
}
