// Quick sort leaves places with equal keys in an order of its own: no sort of ours makes that. want: parallel
// chain: parallelize@C
// lacks: rg_sort_tile
static void quick(const int *key, int *at, int lo, int hi)
{
    if (lo >= hi) return;
    int p = key[at[(lo + hi) / 2]], i = lo, j = hi;
    while (i <= j) {
        while (key[at[i]] < p) i++;
        while (key[at[j]] > p) j--;
        if (i <= j) {
            int t = at[i];
            at[i++] = at[j];
            at[j--] = t;
        }
    }
    quick(key, at, lo, j);
    quick(key, at, i, hi);
}
#pragma regraph size(n=200) size(n=40)
#pragma regraph extent(key: n) extent(at: n)
void places(const int *key, int *at, int n)
{
    for (int i = 0; i < n; i++) at[i] = n - 1 - i;
    quick(key, at, 0, n - 1);
}
