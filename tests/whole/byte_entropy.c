/* entropy of windows of a file, for a plot: bytes in, one number per window out */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

void entropy_profile(const unsigned char *data, long size, long window, double *out)
{
    long w, i;
    for (w = 0; w < size / window; w++) {
        unsigned hist[256];
        double e = 0;
        memset(hist, 0, sizeof hist);
        for (i = 0; i < window; i++) hist[data[w * window + i]]++;
        for (i = 0; i < 256; i++)
            if (hist[i]) {
                double p = (double)hist[i] / window;
                e -= p * log(p) / log(2.0);
            }
        out[w] = e;
    }
}

int main(int argc, char **argv)
{
    long size = 1 << 20, window = 4096, i;
    unsigned char *d = malloc(size);
    double *e = malloc(size / window * sizeof(double));
    for (i = 0; i < size; i++) d[i] = (unsigned char)(i * i >> 3);
    entropy_profile(d, size, window, e);
    for (i = 0; i < 4; i++) printf("%.3f\n", e[i]);
    return argc - 1;
}
