#pragma regraph size(n=1000) extent(key: n) input(key: uniform(0, 99999))
void large(int n, const int *key, double y[100000])
{
    for (int i = 0; i < n; i++) y[key[i]] += 1.5;
}
