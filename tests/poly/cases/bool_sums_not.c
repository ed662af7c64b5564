// What is added to a truth value makes one each time: 1 + 1 - 1 is 0 there, not 1. want: sequential
#pragma regraph size(n=3000) size(n=1) size(n=7) input(x: uniform(-1, 1)) extent(x: n)
#include <stdbool.h>
int bool_sums(int n, const int *x)
{
    bool f = 0;
    for (int i = 0; i < n; i++) f += x[i];
    return f;
}
