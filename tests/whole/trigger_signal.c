/* Finds where a recorded signal first leaves its noise and where it last was above half of its peak. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct event {
    int onset, release, peak;
    double height;
};

/* samples before `guard` are never an onset */
void locate(const double *signal, int len, double noise, int guard, struct event *ev)
{
    int i = guard;
    while (i < len && fabs(signal[i]) <= noise)
        ++i;
    ev->onset = i < len ? i : -1;

    double top = 0;
    ev->peak = -1;
    for (i = 0; i < len; ++i)
        if (fabs(signal[i]) > top) {
            top = fabs(signal[i]);
            ev->peak = i;
        }
    ev->height = top;

    for (i = len - 1; i >= 0; --i)
        if (fabs(signal[i]) > 0.9995 * top)
            break;
    ev->release = i;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    double *s = malloc(n * sizeof *s);
    struct event e;
    for (int i = 0; i < n; i++) s[i] = sin(i * 0.001) * i / n;
    locate(s, n, 0.5, 10, &e);
    printf("%d %d %d %g\n", e.onset, e.release, e.peak, e.height);
    free(s);
    return 0;
}
