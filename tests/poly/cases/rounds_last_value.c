// The counters' last values are read behind the loops: these stay as they are. want: sequential
#pragma regraph size(n=64) size(n=4) size(n=2) extent(x: n) extent(last: 1)
void rounds(unsigned *x, int *last, int n)
{
    int h, i = 0, j = 0;
    for (h = 1; h < n; h *= 2)
        for (i = 0; i < n; i += 2 * h)
            for (j = 0; j < h; j++) x[i + j] ^= x[i + j + h] + (unsigned)h;
    *last = i + j;
}
