// Bubble sort until nothing moves, with a flag either way round. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
static void swap(unsigned *x, unsigned *y)
{
    unsigned t = *x;
    *x = *y;
    *y = t;
}
#pragma regraph size(n=2500,m=3000) size(n=40,m=1)
void both(unsigned *a, long *b, int n, int m)
{
    _Bool swapped = 1;
    while (swapped) {
        swapped = 0;
        for (int i = 1; i < n; i++)
            if (a[i] > a[i - 1]) {
                swap(&a[i], &a[i - 1]);
                swapped = 1;
            }
    }
    int done;
    do {
        done = 1;
        for (int i = 0; i + 1 < m; i++)
            if (b[i] > b[i + 1]) {
                long t = b[i];
                b[i] = b[i + 1];
                b[i + 1] = t;
                done = 0;
            }
    } while (!done);
}
