// File-scope constants, tables, scalars, arrays and pointers in a body and in what it calls: followed through the call. want: parallel
#include <stdlib.h>
enum { SLOTS = 4 };
static const double scale = 0.25, shift = 3;
static const int order[SLOTS] = {2, 0, 3, 1};
struct pair { double a, b; };
static int count, rounds = 2;
static double *room, last[SLOTS];
static struct pair sum;
double bias[2] = {1, 2};
static void push(double v)
{
    room[count++] = v * scale + shift;
    sum.a += v;
    last[order[count % SLOTS]] = v;
}
static void open_room(int n)
{
    count = 0;
    sum.a = sum.b = 0;
    for (int k = 0; k < SLOTS; k++) last[k] = 0;
    room = realloc(NULL, (size_t)n * rounds * sizeof *room);
}
#pragma regraph size(n=300) size(n=7) extent(x: n) extent(y: n) extent(room: 2*n)
void file_scope_followed(int n, const double *x, double *y)
{
    open_room(n);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++) push(x[i] + r * bias[1]);
    for (int i = 0; i < n; i++) y[i] = room[count - 1 - i] + sum.a + last[i % SLOTS] + bias[0];
    free(room);
}
