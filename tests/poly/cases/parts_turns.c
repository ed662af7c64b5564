// Two parts of one block take turns: every other iteration is over the other one. want: parallel
// chain: parallelize
// shows: steps / 2
#include <stdlib.h>

#pragma regraph size(n=3000, steps=5) size(n=9, steps=2)
int parts_turns(double *u, int n, int steps)
{
    double *mem = malloc((2 * (size_t)n + 4) * sizeof(double));
    if (!mem) return -1;
    double *cur = mem + 1, *next = mem + n + 3;
    for (int i = -1; i <= n; i++) cur[i] = next[i] = i < 0 || i == n ? 0.5 : u[i];
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) next[i] = cur[i] + 0.25 * (cur[i - 1] - 2.0 * cur[i] + cur[i + 1]);
        double *tmp = cur;
        cur = next;
        next = tmp;
    }
    for (int i = 0; i < n; i++) u[i] = cur[i];
    free(mem);
    return 0;
}
