// Who has a place may have been given one further on: what moves there is what is read there. want: parallel
// chain: parallelize@C
// lacks: x_before
#pragma regraph size(n=5000) size(n=67) size(n=2) size(n=1)
#include <stdlib.h>
int in_place_scanned_not(int n, int *x, int *y)
{
    int *pos = malloc(n * sizeof *pos), *width = malloc(n * sizeof *width), kept = 0, total = 0;
    if (!pos || !width) {
        free(pos);
        free(width);
        return -1;
    }
    for (int i = 0; i < n; i++) pos[i] = x[i] > 0 ? kept++ : -1;
    if (n > 1 && pos[0] == 0) pos[0] = 1;
    for (int i = 0; i < n; i++)
        if (pos[i] >= 0) x[pos[i]] = x[i];
    for (int i = 0; i < n; i++) width[i] = y[i] > 0 ? 2 : 0;
    for (int i = 0; i < n; i++) {
        pos[i] = total;
        total += width[i];
    }
    for (int i = 0; i < n; i++)
        if (width[i] && pos[i] < n) y[pos[i]] = y[i];
    free(pos);
    free(width);
    return kept;
}
