// Objects that can be reached from the roots: who is alive already is not looked at, the roots get their mark as they are listed. want: parallel
// chain: parallelize@C
// shows: front_before\[
#include <stdlib.h>
#pragma regraph size(n=4000, r=60) size(n=50, r=5) size(n=1, r=1) input(left: uniform(0, n-1)) input(right: uniform(0, n-1))
#pragma regraph input(root: uniform(0, n-1)) input(state: uniform(0, 2))
int reached_objects(int n, int r, const int left[n], const int right[n], const int root[r], int state[n])
{
    int *todo = malloc(n * sizeof *todo), head = 0, tail = 0;
    for (int i = 0; i < r; i++)
        if (state[root[i]] == 0) {
            state[root[i]] = 1;
            todo[tail++] = root[i];
        }
    while (head < tail) {
        int u = todo[head++];
        for (int side = 0; side < 2; side++) {
            int v = side ? right[u] : left[u];
            if (state[v] != 0) continue;
            state[v] = 1;
            todo[tail++] = v;
        }
    }
    free(todo);
    return tail;
}
