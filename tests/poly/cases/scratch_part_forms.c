// Wirth's selection with a test of the count by !, insertion up to a count: both in a part of scratch of each row's own. want: parallel
// chain: parallelize@C
#include <stdlib.h>
static short middle(short a[], int n)
{
    int i, j, l = 0, m = n - 1, k = n / 2;
    short x, t;
    while (l < m) {
        x = a[k];
        i = l;
        j = m;
        do {
            while (a[i] < x) i++;
            while (x < a[j]) j--;
            if (i <= j) {
                t = a[i], a[i] = a[j], a[j] = t;
                i++, j--;
            }
        } while (i <= j);
        if (j < k) l = i;
        if (k < i) m = j;
    }
    return a[k];
}
#pragma regraph size(r=40, n=61) size(r=7, n=5) size(r=2, n=1)
void middles(int r, int n, const short *x, const float *y, short *med, float *low)
{
    short *w = malloc(n * sizeof *w);
    for (int s = 0; s < r; s++) {
        int c = 0;
        for (int i = 0; i < n; i++)
            if (x[s * n + i] % 3) w[c++] = x[s * n + i];
        if (!c) {
            med[s] = 0;
            continue;
        }
        med[s] = middle(w, c);
    }
    free(w);
    float *v = malloc(n * sizeof *v);
    for (int s = 0; s < r; s++) {
        int c = 0;
        for (int i = 0; i < n; i++)
            if (y[s * n + i] > 0.1f) v[c++] = y[s * n + i];
        for (int i = 1; i < c; i++) {
            float t = v[i];
            int j = i;
            while (j > 0 && v[j - 1] > t) {
                v[j] = v[j - 1];
                j--;
            }
            v[j] = t;
        }
        low[s] = c > 2 ? v[2] : -1;
    }
    free(v);
}
