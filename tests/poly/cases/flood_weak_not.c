// Marks that are there: seeds that can be found again or listed twice, marks that change behind them or say who found them. want: parallel
// chain: parallelize@C
// lacks: front\[
#include <stdlib.h>
#pragma regraph size(n=600, r=20) size(n=50, r=5) size(n=2, r=1) input(next: uniform(0, n-1)) input(root: uniform(0, n-1))
#pragma regraph input(a: uniform(0, 2)) input(b: uniform(0, 2)) input(c: uniform(0, 2)) input(d: uniform(0, 2))
int flood_weak_not(int n, int r, const int next[n], const int root[r], int a[n], int b[n], int c[n], int d[n], int e[n])
{
    int *list = malloc((2 * n + r) * sizeof *list), top = 0, n_seen = 0;
    for (int i = 0; i < n; i++) e[i] = 0;
    for (int i = 0; i < n; i++)
        if (a[i] < 2) list[top++] = i; /* some of them are 1, which can be found */
    while (top > 0) {
        int u = list[--top], v = next[u];
        n_seen++;
        if (a[v] == 1) {
            a[v] = 2;
            list[top++] = v;
        }
    }
    top = 0;
    for (int i = 0; i < r; i++) {
        b[root[i]] = 2;
        list[top++] = root[i];
    }
    while (top > 0) {
        int u = list[--top], v = next[u];
        e[u]++;
        if (b[v] == 1) {
            b[v] = 2;
            list[top++] = v;
        }
    }
    top = 0;
    for (int i = 0; i < n; i++)
        if (c[i] == 2) list[top++] = i;
    c[n - 1] = 1;
    while (top > 0) {
        int u = list[--top], v = next[u];
        n_seen++;
        if (c[v] == 1) {
            c[v] = 2;
            list[top++] = v;
        }
    }
    top = 0;
    for (int i = 0; i < n; i++)
        if (d[i] == 2) list[top++] = i;
    while (top > 0) {
        int u = list[--top], v = next[u];
        if (d[v] == 1) {
            d[v] = 2 + u;
            list[top++] = v;
        }
    }
    free(list);
    return n_seen;
}
