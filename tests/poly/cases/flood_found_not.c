// What is done with who is found differs, marks are compared as what they are not, or there are more of them than were cleared. want: parallel
// chain: parallelize@C
// lacks: front\[
#include <stdlib.h>
#pragma regraph size(n=600) size(n=50) size(n=2) input(next: uniform(0, n-1)) input(w: uniform(0, 9)) extent(next: 3 * n) extent(w: 3 * n)
#pragma regraph input(a: uniform(0, 4)) input(b: uniform(0, 4)) input(c: uniform(-2, 3)) input(d: uniform(0, 4)) extent(a: n) extent(b: n) extent(c: n) extent(d: n)
int flood_found_not(int n, const int *next, const int *w, int *a, unsigned *b, int *c, int *d)
{
    int *list = malloc((6 * (size_t)n + 2) * sizeof *list), top = 0, seen = 0;
    for (int i = 0; i < n; i++)
        if (a[i] == 2) list[top++] = i;
    while (top > 0) {
        int u = list[--top];
        for (int k = 0; k < 3; k++) {
            int v = next[3 * u + k];
            if (w[3 * u + k] > 5) {
                if (a[v] == 1) {
                    a[v] = 2;
                    list[top++] = v;
                }
            } else if (a[v] == 1) {
                a[v] = 3;
                seen++;
                list[top++] = v;
            }
        }
    }
    for (int i = 0; i < n; i++)
        if (b[i] == 3) list[top++] = i; /* which can be found: the largest of all is greater */
    while (top > 0) {
        int u = list[--top];
        seen++;
        for (int k = 0; k < 3; k++) {
            int v = next[3 * u + k];
            if (b[v] < -1) {
                b[v] = -1;
                list[top++] = v;
            }
        }
    }
    c[0] = 7;
    list[top++] = 0;
    while (top > 0) {
        int u = list[--top];
        for (int k = 0; k < 3; k++) {
            int v = next[3 * u + k];
            if (c[v] < 2u) { /* -1 is none of them */
                c[v] = 7;
                list[top++] = v;
            }
        }
    }
    for (int i = 0; i < n / 2; i++) d[i] = 1;
    d[0] = 2;
    list[top++] = 0;
    while (top > 0) {
        int u = list[--top];
        seen++;
        for (int k = 0; k < 3; k++) {
            int v = next[3 * u + k];
            if (d[v] == 1) {
                d[v] = 2;
                list[top++] = v;
                if (w[v] > 4) {
                    d[v] = 2;
                    list[top++] = v;
                }
            }
        }
    }
    free(list);
    return seen;
}
