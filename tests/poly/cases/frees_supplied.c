// The program frees and reallocates what a file-scope pointer leads to, which is the caller's here. want: parallel
#include <stdlib.h>
static int *list, room;
static void grow(int n)
{
    list = realloc(list, (size_t)n * sizeof *list);
    room = n;
}
#pragma regraph size(n=300) size(n=7) extent(p: n) extent(out: n) extent(list: n) input(room: constant(0))
void frees_supplied(int n, const int *p, int *out)
{
    if (n > room) grow(n);
    for (int i = 0; i < n; i++) list[i] = p[i] + 1;
    for (int i = 0; i < n; i++) out[i] = list[n - 1 - i];
    free(list);
    list = 0;
}
