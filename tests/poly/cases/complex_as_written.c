// Complex arithmetic in file-scope memory that the function allocates: a transform, ordered by absolute value. want: parallel
#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>
static double complex *room;
static int by_abs(const void *a, const void *b)
{
    double x = cabs(*(const double complex *)a), y = cabs(*(double complex const *)b);
    bool less = x < y;
    return less ? -1 : x > y;
}
static void open_room(int n)
{
    room = realloc(NULL, n * sizeof *room);
}
static void transform(int n, const double _Complex *x, double complex *y)
{
    for (int k = 0; k < n; k++) {
        double complex sum = 0;
        for (int j = 0; j < n; j++) sum += x[j] * cexp(-2 * I * 3.14159265358979 * k * j / n);
        y[k] = 2 * sum - conj(x[k]);
    }
}
#pragma regraph size(n=64) size(n=8) extent(x: n) extent(y: n) extent(room: n)
void complex_as_written(int n, const double complex *x, double complex *y)
{
    open_room(n);
    transform(n, x, room);
    for (int k = 0; k < n; k++) y[k] = room[k] - CMPLX(k, 1);
    y[0] *= 2;
    if (creal(y[1]) > 0 && y[1] != CMPLX(0, 1)) y[1] = -y[1] / 2;
    _Bool order = n > 1;
    if (order) qsort(y, n, sizeof *y, by_abs);
    free(room);
}
