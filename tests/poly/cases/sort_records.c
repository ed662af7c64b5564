// Records by several members, from an element on, equal ones in their order; then a pass in that order. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile<[0-9]+, [0-9]>\(&t\[.*, length
#include <stdlib.h>
typedef struct { unsigned char kind; short level; double value; char name[8]; } rec;
static int cmp(const void *p, const void *q)
{
    const rec *a = (const rec *)p, *b = (const rec *)q;
    if (a->kind != b->kind) return (int)a->kind - (int)b->kind;
    return b->level - a->level;
}
#pragma regraph size(n=3000,lo=3) size(n=100,lo=99) input(t.kind: uniform(0, 9)) input(t.level: uniform(0, 9))
void order(rec *t, size_t n, size_t lo, double *running)
{
    if (n > lo + 1) qsort(&t[lo], n - lo, sizeof(rec), &cmp);
    for (size_t i = 0; i < n; i++) running[i] = t[i].value * i;
}
