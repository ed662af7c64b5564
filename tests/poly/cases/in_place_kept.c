// What is not zero goes to the front, in place. want: parallel
#pragma regraph extent(a: n) input(a: uniform(0, 3))
int in_place_kept(int *a, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (a[i] != 0)
            a[k++] = a[i] * 2;
    return k;
}
