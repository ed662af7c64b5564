#include <stdlib.h>
#include <string.h>
/* two masks, next frontier */
int reach(int n, int m, const int *off, const int *nbr, int s, int *visited)
{
    int *cur = calloc(n, sizeof(int)), *nxt = calloc(n, sizeof(int));
    int levels = 0, any = 1;
    memset(visited, 0, n*sizeof(int));
    cur[s] = 1; visited[s] = 1;
    while (any) {
        any = 0;
        for (int i = 0; i < n; i++) nxt[i] = 0;
        for (int i = 0; i < n; i++)
            if (cur[i])
                for (int e = off[i]; e < off[i+1]; e++)
                    if (!visited[nbr[e]]) nxt[nbr[e]] = 1;
        for (int i = 0; i < n; i++) {
            if (nxt[i]) { visited[i] = 1; any = 1; }
            cur[i] = nxt[i];
        }
        levels++;
    }
    free(cur); free(nxt);
    return levels;
}
