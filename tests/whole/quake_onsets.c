/* P-wave onsets: a short window slides over the trace by `stride` samples; for each position the characteristic function
   goes to a work buffer that is used again and again, then the first peak over the threshold is climbed to its top. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Picks { int *offset; double *height; } Picks;

void pick_onsets(const double *trace, long samples, long span, long stride, double level, Picks *out)
{
    const long half = span / 2, quarter = span / 4;
    double *cf = (double *)calloc((size_t)half, sizeof *cf);
    long window = 0, from = 0;

    while (from + span + quarter <= samples) {
        long k, top = -1;
        for (k = 0; k < half; k++) {
            double before = 0.0, after = 0.0;
            for (long m = 0; m < quarter; m++) {
                before += fabs(trace[from + k + m]);
                after += fabs(trace[from + k + quarter + m]);
            }
            cf[k] = after / (before + 1e-3);
        }
        for (k = 1; k + 1 < half; k++) {
            if (cf[k] <= level)
                continue;
            while (k + 1 < half && cf[k + 1] > cf[k])
                k++;
            top = k;
            break;
        }
        out->offset[window] = (int)top;
        out->height[window] = top < 0 ? 0.0 : cf[top];
        window++;
        from += stride;
    }
    free(cf);
}

int main(void)
{
    long n = 40000, span = 200, stride = 80;
    double *t = malloc(n * sizeof *t);
    Picks p = {malloc(n / stride * sizeof(int)), malloc(n / stride * sizeof(double))};
    for (long i = 0; i < n; i++) t[i] = sin(i * 0.05) * (i % 1700 < 300 ? 4.0 : 0.3);
    pick_onsets(t, n, span, stride, 1.8, &p);
    printf("%d %f\n", p.offset[20], p.height[20]);
    free(t);
    return 0;
}
