#include <stdlib.h>
#include <string.h>
void sort_times(long *t, int n)
{
    long *buf = malloc(n * sizeof *buf);
    for (int width = 1; width < n; width *= 2) {
        for (int lo = 0; lo < n; lo += 2 * width) {
            int mid = lo + width < n ? lo + width : n;
            int hi = lo + 2 * width < n ? lo + 2 * width : n;
            int i = lo, j = mid;
            for (int k = lo; k < hi; k++) {
                if (i < mid && (j >= hi || t[i] <= t[j])) buf[k] = t[i++];
                else buf[k] = t[j++];
            }
        }
        memcpy(t, buf, n * sizeof *t);
    }
    free(buf);
}
