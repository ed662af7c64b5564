// A function that calls itself and sorts short parts alone, between two places: no sort of any length. want: sequential
#pragma regraph size(lo=1, hi=900) size(lo=1, hi=40) extent(a: hi + 1) require(lo < hi)
void short_parts(int *a, int lo, int hi)
{
    while (lo < hi) {
        int p = a[lo], i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) {
                int t = a[i];
                a[i] = a[j];
                a[j] = t;
                i++;
                j--;
            }
        }
        if (hi - lo < 500) short_parts(a, lo, j);
        lo = i;
    }
}
