// Selection of the smallest, and of the largest for the end, in two arrays. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
#pragma regraph size(n=2000) size(n=35)
void select_both(double *a, int *b, int n)
{
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[least]) least = j;
        if (least != i) {
            double t = a[i];
            a[i] = a[least];
            a[least] = t;
        }
    }
    for (int last = n - 1; last > 0; last--) {
        int most = 0;
        for (int j = 1; j <= last; j++)
            if (b[j] > b[most]) most = j;
        int t = b[last];
        b[last] = b[most];
        b[most] = t;
    }
}
