// The places are exclusive sums of flags, and the flags say who moves. want: parallel
#pragma regraph size(n=5000) size(n=67) size(n=2) size(n=1)
#include <stdlib.h>
int in_place_scanned_flags(int n, int *x)
{
    int *keep = malloc(n * sizeof *keep), *pos = malloc(n * sizeof *pos), total = 0;
    if (!keep || !pos) {
        free(keep);
        free(pos);
        return -1;
    }
    for (int i = 0; i < n; i++) keep[i] = x[i] > 0;
    for (int i = 0; i < n; i++) {
        pos[i] = total;
        total += keep[i];
    }
    for (int i = 0; i < n; i++)
        if (keep[i]) x[pos[i]] = x[i];
    free(keep);
    free(pos);
    return total;
}
