/* one counter for two arrays that overlap in the end: not every store has its own place */
#pragma regraph size(n=100000) input(x: uniform(-100, 100)) extent(out: n + 1)
int pairs(int n, const int x[n], int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0) {
            out[k] = x[i];
            k++;
            out[k] = -1;
        }
    return k;
}
