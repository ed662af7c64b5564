// A structure that a helper changes through a pointer to const, and by its own name. want: parallel
typedef struct { int n, k; } S;
static void half(const S *s) { S *w = (S *)s; w->k = w->k / 2 + 1; }
static void add(const S g, int *a, int n) { for (int i = 0; i < n; i++) a[i] = a[i] % 100 + g.k; }
#pragma regraph size(n=40) size(n=7) extent(a: n)
void structure_changed_between(S g, int *a, int n)
{
    add(g, a, n);
    half(&g);
    add(g, a, n);
}
