// Insertion sort: a sort, unless an element is in no order. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*\(\*rg_l\)\) > \(\(\*rg_r\)\)
#pragma regraph size(n=3000) size(n=40) size(n=1)
void insertion(float *a, int n)
{
    for (int i = 1; i < n; i++) {
        float key = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}
