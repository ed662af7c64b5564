#pragma regraph size(n=1048576, m=65536)
/* weighted scatter */
#pragma regraph extent(w: n) extent(v: n) extent(idx: n) extent(y: m)
#pragma regraph input(idx: uniform(0, m-1))
void scatter_add(int n, int m, const int *idx, const float *w, const float *v, float *y)
{
    for (int i = 0; i < n; i++)
        y[idx[i]] += w[i] * v[i];
}
