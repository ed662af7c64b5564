// function: f
// expect: 'h' of make matches no parameter of f
#include <stdlib.h>
/* a number that nobody stated, and that says how much memory there is */
static struct { int n; float *at; } g;
void make(double h)
{
    g.n = (int)(1 / h);
    g.at = malloc(g.n * sizeof(float));
    for (int i = 0; i < g.n; i++) g.at[i] = i;
}
#pragma regraph size(g.n=10) init(make) extent(g.at: g.n)
void f(void)
{
    for (int i = 0; i < g.n; i++) g.at[i] *= 2;
}
