// Meeting rooms. Each department keeps a sorted page of bookings;
// a request takes the first gap that is long enough.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define PER_PAGE 24
#define OPEN 480
#define CLOSE 1200

// the end of the booking behind which there is room: a place on the page, NULL if the day is full
static const int *gap(const int *ends, const int *begins, int used, int minutes)
{
    for (int i = 0; i + 1 < used; i++)
        if (begins[i + 1] - ends[i] >= minutes)
            return ends + i;
    return NULL;
}

void book(int pages, const int *minutes, const int *ends, const int *begins, int *start, int *status)
{
    for (int p = 0; p < pages; p++) {
        const int *at = gap(ends + p * PER_PAGE, begins + p * PER_PAGE, PER_PAGE, minutes[p]);
        bool lucky = at != NULL;

        start[p] = at ? *at : CLOSE;
        status[p] = lucky ? 1 + (int)(at - (ends + p * PER_PAGE)) : -minutes[p];
    }
}

void fill(int pages, int *begins, int *ends, int *minutes)
{
    unsigned x = 12345;
    for (int p = 0; p < pages; p++) {
        int t = OPEN;
        for (int i = 0; i < PER_PAGE; i++) {
            x = x * 1103515245u + 12345u;
            begins[p * PER_PAGE + i] = t;
            ends[p * PER_PAGE + i] = t + 10 + (int)(x >> 20) % 30;
            t = ends[p * PER_PAGE + i] + (int)(x >> 9) % 40;
        }
        minutes[p] = 15 + (int)(x >> 13) % 240;
    }
}

int main(void)
{
    enum { N = 3000 };
    int *b = malloc(N * PER_PAGE * sizeof *b), *e = malloc(N * PER_PAGE * sizeof *e), *m = malloc(N * sizeof *m);
    int *s = calloc(N, sizeof *s), *o = calloc(N, sizeof *o), sum = 0;

    fill(N, b, e, m);
    book(N, m, e, b, o, s);
    for (int i = 0; i < N; i++) sum += s[i] + o[i];
    printf("%d\n", sum);
    free(b), free(e), free(m), free(s), free(o);
    return 0;
}
