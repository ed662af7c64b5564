// Arrays of a length that the run decides, in a body that runs as it is written and in what it calls. want: sequential
// chain: sequential
// shows: rg_vla<int> next
#include <stdlib.h>
struct pair { double a; int b; };
static double *room;
static void open_room(int n)
{
    room = malloc((size_t)n * sizeof *room);
}
static double walk(int n, const double *x)
{
    int next[n + 1];
    struct pair best[n / 2 + 1];
    double sum = 0;
    for (int i = 0; i <= n; i++) next[i] = (i * 3 + 1) % n;
    for (int i = 0; i <= n / 2; i++) best[i].a = x[next[i]], best[i].b = i;
    for (int i = 0; i <= n / 2; i++) sum += best[i].a * best[i].b;
    return sum;
}
#pragma regraph size(n=60) size(n=7) extent(x: n) extent(y: n) extent(room: n)
void lengths_as_written(int n, const double *x, double *y)
{
    double half[n], third[n + 1];
    open_room(n);
    for (int i = 0; i < n; i++) third[i] = x[i] / 3;
    for (int i = 0; i < n; i++) half[i] = x[i] / 2 + third[n - 1 - i];
    for (int i = 0; i < n; i++) room[i] = walk(i + 1, half);
    for (int i = 0; i < n; i++) y[i] = room[i];
    free(room);
}
