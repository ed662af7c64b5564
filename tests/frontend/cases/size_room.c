// a list that the function fills has room for all elements; what stands against a count, or a place, is no such number
// function: peaks
// function: found
// function: ranges
// function: core
// function: from
// explain(peaks): n=1000000, most=1000000
// explain(found): n=1000000, cap=1000000
// explain(ranges): w=4000, h=4000, most=16000000
// explain(core): n=4000, least=4  timed
// explain(from): n=1000000, at=1  timed
#include <stddef.h>
size_t peaks(const double *y, size_t n, double level, size_t *out, size_t most)
{
    size_t count = 0;
    if (n < 3) return 0;
    for (size_t i = 1; i < n - 1; ++i)
        if (y[i] > level && y[i] > y[i - 1] && y[i] >= y[i + 1]) {
            if (count == most) break;
            out[count++] = i;
        }
    return count;
}
#pragma regraph extent(out: n)
void found(int n, const float *x, int *out, unsigned cap, unsigned *count)
{
    unsigned k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0) {
            if (k < cap) out[k] = i;
            k++;
        }
    *count = k < cap ? k : cap;
}
struct spot { int x, y; };
#pragma regraph extent(spots: w * h)
int ranges(const unsigned char *a, int w, int h, struct spot *spots, int most)
{
    int n = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            if (a[y * w + x] < 40) continue;
            if (n >= most) return n;
            spots[n].x = x;
            spots[n].y = y;
            n++;
        }
    return n;
}
void core(int n, const float *x, float eps, int least, int *is)
{
    for (int i = 0; i < n; i++) {
        int near = 0;
        for (int j = 0; j < n; j++)
            if (x[j] > x[i] - eps && x[j] < x[i] + eps) near++;
        is[i] = near >= least;
    }
}
void from(int n, const float *x, float *y, int at)
{
    int i = 0;
    while (i < n) {
        y[i] = i == at ? 1 : x[i];
        i++;
    }
}
