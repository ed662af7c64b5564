#define CUTOFF 16
static void insertion(int *a, int lo, int hi)
{
    for (int i = lo + 1; i <= hi; i++) {
        int x = a[i], j = i - 1;
        while (j >= lo && a[j] > x) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = x;
    }
}
static void quick(int *a, int lo, int hi)
{
    if (hi - lo < CUTOFF) {
        insertion(a, lo, hi);
        return;
    }
    int mid = lo + (hi - lo) / 2;
    int t;
    if (a[mid] < a[lo]) { t = a[mid]; a[mid] = a[lo]; a[lo] = t; }
    if (a[hi] < a[lo]) { t = a[hi]; a[hi] = a[lo]; a[lo] = t; }
    if (a[hi] < a[mid]) { t = a[hi]; a[hi] = a[mid]; a[mid] = t; }
    int pivot = a[mid];
    int i = lo, j = hi;
    for (;;) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i >= j) break;
        t = a[i]; a[i] = a[j]; a[j] = t;
        i++; j--;
    }
    quick(a, lo, i - 1);
    quick(a, j + 1, hi);
}
void sort_ids(int *ids, int n) { quick(ids, 0, n - 1); }

#include <stdio.h>
int main(void)
{
    static int ids[1000];
    for (int i = 0; i < 1000; i++) ids[i] = i * 7919 % 1009;
    sort_ids(ids, 1000);
    for (int i = 1; i < 1000; i++)
        if (ids[i - 1] > ids[i]) return 1;
    printf("%d .. %d\n", ids[0], ids[999]);
    return 0;
}
