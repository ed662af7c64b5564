// The same by pointers, with the second's first of two that are equal, behind a test, and with a result. want: parallel
#pragma regraph extent(x: nx) extent(y: ny) extent(dst: nx + ny)
#include <stddef.h>
long merge_walking(double *dst, const double *x, size_t nx, const double *y, size_t ny)
{
    const double *xe = x + nx, *ye = y + ny;
    double *d = dst;
    if (nx == 0)
        return -1;
    while (x < xe && y < ye)
        *d++ = *y <= *x ? *y++ : *x++;
    while (x != xe)
        *d++ = *x++;
    while (y != ye)
        *d++ = *y++;
    return (long)(d - dst);
}
