// function: f
// expect: 'n' of make matches no parameter of f
#include <stdlib.h>
/* n means something else where the set-up takes it: half as many */
static struct { int n; float *at; } g;
void make(int n)
{
    g.n = 2 * n;
    g.at = malloc(2 * n * sizeof(float));
    for (int i = 0; i < 2 * n; i++) g.at[i] = i;
}
#pragma regraph size(n=10) init(make)
void f(void)
{
    for (int i = 0; i < g.n; i++) g.at[i] *= 2;
}
