// Heap sort with its sift written out twice. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
#pragma regraph size(n=3000) size(n=33)
void heapsort_(long *a, long n)
{
    for (long start = n / 2 - 1; start >= 0; start--)
        for (long root = start; 2 * root + 1 < n;) {
            long child = 2 * root + 1;
            if (child + 1 < n && a[child] < a[child + 1]) child++;
            if (a[root] >= a[child]) break;
            long t = a[root];
            a[root] = a[child];
            a[child] = t;
            root = child;
        }
    for (long end = n - 1; end > 0; end--) {
        long t = a[0], root = 0;
        a[0] = a[end];
        a[end] = t;
        while (2 * root + 1 < end) {
            long child = 2 * root + 1;
            if (child + 1 < end && a[child] < a[child + 1]) child++;
            if (a[root] >= a[child]) break;
            t = a[root];
            a[root] = a[child];
            a[child] = t;
            root = child;
        }
    }
}
