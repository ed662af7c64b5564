// An extent that grows before the memory is made: the lists say how long it is. want: parallel
#include <stdlib.h>
/* the size grows before the memory is made */
static struct { int n, k, *first, *at; } g;

void make(int n, int reach)
{
    int found = 0, *p = &found;
    g.n = n;
    g.k = 2 * n * reach;
    g.k += n % 7;
    g.first = malloc((n + 1) * sizeof(int));
    g.at = malloc(g.k * sizeof(int));
    for (int i = 0; i < n; i++) {
        g.first[i] = found;
        if (i % 3) g.at[found++] = *p;
    }
    g.first[n] = found;
    g.k = found;
}
#pragma regraph size(n=100, reach=4) init(make)
void f(int *sum)
{
    int s = 0;
    for (int i = 0; i < g.n; i++)
        for (int e = g.first[i]; e < g.first[i + 1]; e++) s += g.at[e];
    *sum = s;
}
int main(void)
{
    int s;
    make(50, 6);
    f(&s);
    return s;
}
