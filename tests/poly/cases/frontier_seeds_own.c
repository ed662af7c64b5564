// A search that begins with all vertices that have something, each of which puts itself there. want: parallel
#include <stdlib.h>
void frontier_seeds_own(int n, const int *restrict start, const int *restrict to, const int *restrict grade, int *restrict far)
{
    int *list = malloc(sizeof *list * n), head = 0, tail = 0;
    for (int v = 0; v < n; v++) far[v] = -1;
    for (int v = 0; v < n; v++)
        if (grade[v] % 7 == 3) {
            list[tail] = v;
            tail++;
            far[v] = 0;
        }
    while (head < tail) {
        int v = list[head++];
        for (int k = start[v]; k < start[v + 1]; k++)
            if (far[to[k]] == -1) {
                far[to[k]] = far[v] + 1;
                list[tail++] = to[k];
            }
    }
    free(list);
}
#pragma regraph size(n = 3000) size(n = 40) size(n = 1)
