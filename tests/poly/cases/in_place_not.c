// The last one kept is not the neighbour: only what is larger is. want: sequential
#pragma regraph extent(a: n) input(a: uniform(0, 1000))
int in_place_not(int *a, int n)
{
    int k = 0;
    for (int i = 1; i < n; i++)
        if (a[i] != a[k] + 1)
            a[++k] = a[i];
    return k;
}
