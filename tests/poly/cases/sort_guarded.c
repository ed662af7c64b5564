// Arguments are asked first, what the sort needs is declared in front of that. want: parallel
// shows: rg_sort_tile
#pragma regraph size(n=3000) size(n=41) size(n=1) extent(a: n)
static void sift(float *a, int lo, int n)
{
    int i = lo, c;
    float t = a[i];
    while ((c = 2 * i + 1) < n) {
        if (c + 1 < n && a[c + 1] > a[c]) c++;
        if (!(a[c] > t)) break;
        a[i] = a[c];
        i = c;
    }
    a[i] = t;
}
int heap_sort(float *a, int n)
{
    int i;
    float t;
    if (a == 0 || n < 0)
        return -1;
    if (n < 2)
        return 0;
    for (i = n / 2 - 1; i >= 0; i--)
        sift(a, i, n);
    for (i = n - 1; i > 0; i--) {
        t = a[0];
        a[0] = a[i];
        a[i] = t;
        sift(a, 0, i);
    }
    return 0;
}
