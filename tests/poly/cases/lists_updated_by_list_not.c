// What elements are changed by is what the list of those that went holds by then. want: sequential
#pragma regraph size(n=60) size(n=7) extent(a: n) extent(g: n) input(a: uniform(0, 50)) input(g: uniform(0, 50))
int lists_updated_by_list_not(int *a, int n, int *g)
{
    int k = 0, dead = 0;
    for (int i = 0; i < n; i++) {
        a[i] += g[n - 1 - i];
        if (a[i] % 3 == 0) { g[dead++] = a[i]; continue; }
        if (k != i) a[k] = a[i];
        k++;
    }
    return k;
}
