// Two members of a structure are parts of a block, and take turns. want: parallel
// chain: parallelize
// lacks: int turn
#include <stdlib.h>

struct state {
    double *cur, *next;
};

#pragma regraph size(n=3000, steps=5) size(n=9, steps=2)
int parts_members_turn(double *u, int n, int steps)
{
    struct state s;
    double *mem = malloc(2 * (size_t)n * sizeof(double));
    if (!mem) return -1;
    s.cur = mem;
    s.next = mem + n;
    for (int i = 0; i < n; i++) s.cur[i] = s.next[i] = u[i];
    for (int k = 0; k < steps; k++) {
        for (int i = 1; i < n - 1; i++) s.next[i] = s.cur[i] + 0.25 * (s.cur[i - 1] - 2.0 * s.cur[i] + s.cur[i + 1]);
        double *t = s.cur;
        s.cur = s.next;
        s.next = t;
    }
    for (int i = 0; i < n; i++) u[i] = s.cur[i];
    free(mem);
    return 0;
}
