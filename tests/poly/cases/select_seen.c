// The k-th smallest by partitions in the caller's array, which sees the order that they leave. want: sequential
#pragma regraph size(n=200, k=70) size(n=40, k=39)
#pragma regraph require(k < n) extent(a: n)
int nth_element(int *a, int n, int k)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int pivot = a[k], i = lo, j = hi;
        do {
            while (a[i] < pivot) i++;
            while (pivot < a[j]) j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        } while (i <= j);
        if (j < k) lo = i;
        if (k < i) hi = j;
    }
    return a[k];
}
