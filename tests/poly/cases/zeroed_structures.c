// Structures from calloc, with an array among their members: each member is zero. want: parallel
#pragma regraph size(n=30000,cells=300) size(n=50,cells=7)
#pragma regraph input(at: uniform(0, cells - 1)) input(kind: uniform(0, 3))
#include <stdlib.h>
struct cell {
    int n, of_kind[4];
    long long sum;
};
void tally(int n, int cells, const int at[n], const int kind[n], int count[cells], int most[cells], long long sum[cells])
{
    struct cell *c = calloc((size_t)cells, sizeof *c);
    for (int i = 0; i < n; i++) {
        c[at[i]].n++;
        c[at[i]].of_kind[kind[i]]++;
        c[at[i]].sum += i;
    }
    for (int i = 0; i < cells; i++) {
        int m = 0;
        for (int k = 1; k < 4; k++) m = c[i].of_kind[k] > c[i].of_kind[m] ? k : m;
        count[i] = c[i].n;
        most[i] = m;
        sum[i] = c[i].sum;
    }
    free(c);
}
