#pragma regraph size(n=1000, key=17)
#pragma regraph input(a: uniform(0, 50)) extent(a: n)
int find(int n, const int *a, int key)
{
    if (n <= 0)
        return -1;
    for (int i = 0; i < n; i++)
        if (a[i] == key)
            return i;
    return -1;
}
