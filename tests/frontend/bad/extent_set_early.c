// function: f
// expect: the extent of 'g.at' cannot be read off the code
#include <stdlib.h>
/* what the size was made of was another number before */
static struct { int n, k, *first, *at; } g;

void make(int n, int reach)
{
    int found = 0, *p = &found;
    n = n % 64, reach++;
    g.n = n;
    g.k = 2 * n * reach;
    
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
        s += g.at[g.first[i] * g.first[i + 1]];
    *sum = s;
}
int main(void)
{
    int s;
    make(50, 6);
    f(&s);
    return s;
}
