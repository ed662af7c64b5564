#pragma regraph size(n=1048576, g=1000)
/* min/max per group */
#pragma regraph extent(key: n) extent(val: n) extent(lo: g) extent(hi: g) extent(any: g)
#pragma regraph input(key: uniform(0, g-1))
void group_range(int n, int g, const int *key, const float *val, float *lo, float *hi, int *any)
{
    for (int k = 0; k < g; k++) { lo[k] = 1e30f; hi[k] = -1e30f; any[k] = 0; }
    for (int i = 0; i < n; i++) {
        if (val[i] < lo[key[i]]) lo[key[i]] = val[i];
        if (val[i] > hi[key[i]]) hi[key[i]] = val[i];
        any[key[i]] |= 1 << (i % 31);
    }
}
