// What subscripts one array says how long another is: row starts of vertices that come from a stack or a minimum. want: parallel
#include <float.h>
#include <stdlib.h>
int reach(int n, const int *row, const int *col, const double *w, int from, double *dist, int *done)
{
    int *stack = malloc((size_t)n * sizeof *stack), top = 0, count = 0;
    if (!stack || from < 0 || from >= n) {
        free(stack);
        return -1;
    }
    for (int v = 0; v < n; v++) {
        dist[v] = DBL_MAX;
        done[v] = 0;
    }
    dist[from] = 0;
    stack[top++] = from;
    while (top > 0) {
        int u = stack[--top];
        done[u]++;
        count++;
        for (int e = row[u]; e < row[u + 1]; e++) {
            int v = col[e];
            if (done[v] || dist[v] < DBL_MAX) continue;
            dist[v] = dist[u] + w[e];
            stack[top++] = v;
        }
    }
    free(stack);
    return count;
}
