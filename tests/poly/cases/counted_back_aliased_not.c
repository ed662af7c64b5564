// What the loop counts by is changed through a pointer that the loop moves, too: it stays as it stands. want: sequential
// chain: sequential@C
#pragma regraph size(n=300) size(n=5) extent(x: n) extent(list: n) extent(o: n) input(x: uniform(0, 40)) input(list: uniform(0, 2))
long thin(int n, int *x, const int *list, int *o)
{
    int *p = x;
    for (int k = 0; k < n; k++) {
        int v = list[k];
        while (x[v] > 3) {
            x[v] -= 2;
            p = x + v;
            *p = *p - 1;
        }
        o[k] = x[v];
    }
    return p - x;
}
