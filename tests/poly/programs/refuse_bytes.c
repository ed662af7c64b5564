#pragma regraph size(n=1000, m=50) extent(key: n) extent(count: m) input(key: uniform(0, m-1))
void bytes(int n, int m, const int *key, unsigned char *count)
{
    for (int i = 0; i < n; i++) count[key[i]]++;
}
