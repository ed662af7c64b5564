// Heap sort of records by a key that several have: it leaves them in an order of its own. want: sequential
struct rec {
    int key, what;
};
static void sift(struct rec *r, int i, int n)
{
    for (;;) {
        int c = 2 * i + 1;
        if (c >= n) return;
        if (c + 1 < n && r[c].key < r[c + 1].key) c++;
        if (r[i].key >= r[c].key) return;
        struct rec t = r[i];
        r[i] = r[c];
        r[c] = t;
        i = c;
    }
}
#pragma regraph size(n=200) size(n=50)
void by_key(struct rec *r, int n)
{
    for (int i = n / 2; i > 0; i--) sift(r, i - 1, n);
    for (int i = n - 1; i > 0; i--) {
        struct rec t = r[0];
        r[0] = r[i];
        r[i] = t;
        sift(r, 0, i);
    }
}
