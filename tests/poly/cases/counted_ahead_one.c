// The first segment begins in front of the loop; the counter is stepped where it is named. want: parallel
#pragma regraph size(n=3000) size(n=1) size(n=40) extent(key: n) extent(v: n) extent(sum: n) extent(last: n)
int by_key(int n, const int *key, const float *v, float *sum, int *last)
{
    int m = 1;
    sum[0] = v[0];
    for (int i = 1; i < n; i++) {
        if (key[i] != key[i - 1])
            sum[m++] = v[i];
        else
            sum[m - 1] += v[i];
        last[i] = m;
    }
    return m;
}
