/* Reads elements that other iterations may have added to. */
#pragma regraph size(n=1000) extent(to: n) extent(x: n) input(to: uniform(0, n-1))
void mixed(int n, const int *to, float *x)
{
    for (int i = 0; i < n; i++) x[to[i]] += 0.5f * x[i];
}
