// Lists whose elements may be equal: places of pairs, two loops that fill one list. want: parallel
// refused: parallelize : loop k (tests/poly/cases/distinct_lists_not.c:9) car
#pragma regraph size(n=600) size(n=7) size(n=2) extent(list: 2 * n) input(x: uniform(0, 1))
void halves(int n, const float x[n], int *list, float y[n])
{
    int c = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0.5f) list[c++] = i / 2;
    for (int k = 0; k < c; k++) y[list[k]] = y[list[k]] * 0.5f + x[list[k]];
    c = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0.25f) list[c++] = i;
    for (int i = 0; i < n; i++)
        if (x[i] < 0.75f) list[c++] = i;
    for (int k = 0; k < c; k++) y[list[k]] = y[list[k]] * 0.75f + x[list[k]];
}
