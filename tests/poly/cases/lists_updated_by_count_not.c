// What elements are changed by counts those that went before them. want: sequential
#include <stddef.h>
struct q { int v, t; };
#pragma regraph size(n=60) size(n=7) extent(a: n) input(a: uniform(0, 50))
int lists_updated_by_count_not(struct q *a, int n)
{
    int k = 0, dead = 0;
    for (int i = 0; i < n; i++) {
        a[i].v += dead;
        if (a[i].v % 3 == 0) { dead++; continue; }
        a[k++] = a[i];
    }
    return k;
}
