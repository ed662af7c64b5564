// Reals that are looked for by halves of a table: some must be there. want: parallel
// chain: parallelize@C
#pragma regraph size(n=3000, keys=2000) size(n=17, keys=40) size(n=1, keys=1)
int matches(const float *table, int n, const float *key, int keys, int *at)
{
    int found = 0;
    for (int q = 0; q < keys; q++) {
        int lo = 0, hi = n;
        while (lo < hi) {
            int mid = lo + (hi - lo) / 2;
            if (table[mid] < key[q])
                lo = mid + 1;
            else
                hi = mid;
        }
        at[q] = lo < n && table[lo] == key[q] ? lo : -1;
        found += at[q] >= 0;
    }
    return found;
}
