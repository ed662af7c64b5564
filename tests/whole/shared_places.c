/* shared_places - places of runners by their times; who arrives at the same time shares the mean of the places */
#include <stdio.h>
#include <stdlib.h>

struct arrival {
    int seconds, runner;
};

static int earlier(const void *a, const void *b)
{
    const struct arrival *p = a, *q = b;
    if (p->seconds != q->seconds)
        return p->seconds < q->seconds ? -1 : 1;
    return p->runner - q->runner;
}

int places(int runners, const int *seconds, double *place)
{
    struct arrival *a = malloc(runners * sizeof *a);
    int at = 0;
    if (a == NULL)
        return -1;
    for (int i = 0; i < runners; i++) {
        a[i].seconds = seconds[i];
        a[i].runner = i;
    }
    qsort(a, runners, sizeof *a, earlier);
    while (at < runners) {
        int last = at;
        while (last + 1 < runners && a[last + 1].seconds == a[at].seconds)
            last++;
        double mean = 1 + 0.5 * (at + last);
        for (; at <= last; at++)
            place[a[at].runner] = mean;
    }
    free(a);
    return 0;
}

int main(void)
{
    enum { N = 1000 };
    static int seconds[N];
    static double place[N];
    for (int i = 0; i < N; i++)
        seconds[i] = 600 + i * 77 % 400;
    if (places(N, seconds, place))
        return 1;
    printf("%g\n", place[0]);
    return 0;
}
