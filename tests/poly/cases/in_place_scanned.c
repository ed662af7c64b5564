// Elements move to the front of two arrays, to the places that a scan in front gave. want: parallel
#pragma regraph size(n=5000) size(n=67) size(n=2) size(n=1)
#include <stdlib.h>
int in_place_scanned(int n, double *x, int *tag, double limit)
{
    int *pos = malloc(n * sizeof *pos), kept = 0;
    if (!pos) return -1;
    for (int i = 0; i < n; i++) pos[i] = x[i] < limit ? kept++ : -1;
    for (int i = 0; i < n; i++) {
        int p = pos[i];
        if (p >= 0 && p != i) {
            x[p] = x[i];
            tag[p] = tag[i];
        }
    }
    free(pos);
    return kept;
}
