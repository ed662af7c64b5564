/* Means over bins of a given width: how many bins there are is the whole part of a real number. */
#include <stdlib.h>

void box_bins(int n, double box, const double *x, double *deviation, int *bin)
{
    const double width = 2.5;
    int bins = (int)(box / width);
    double inv = bins / box;
    double *sum = calloc(bins, sizeof *sum);
    int *count = calloc(bins, sizeof *count);

    for (int i = 0; i < n; i++) {
        int c = (int)(x[i] * inv);
        if (c < 0) c = 0;
        if (c >= bins) c = bins - 1;
        sum[c] += x[i];
        count[c]++;
        bin[i] = c;
    }
    for (int i = 0; i < n; i++) deviation[i] = x[i] - sum[bin[i]] / count[bin[i]];
    free(count);
    free(sum);
}
