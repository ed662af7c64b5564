// function: f
// expect: 'n' of make matches no parameter of f
#include <stdint.h>
#include <stdlib.h>
/* what the member holds is not all that a size of its type may be: 300 would come as 44 */
static struct { int n; float *at; } g;
void make(int n)
{
    g.n = (uint8_t)n;
    g.at = malloc(g.n * sizeof(float));
    for (int i = 0; i < g.n; i++) g.at[i] = i;
}
#pragma regraph size(n=300) init(make) extent(g.at: g.n)
void f(void)
{
    for (int i = 0; i < g.n; i++) g.at[i] *= 2;
}
