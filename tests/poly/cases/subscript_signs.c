// Subscripts that convert unsigned numbers keep their signs in quotients, comparisons and shifts. want: parallel
#pragma regraph extent(x: m) extent(y: m) extent(g: m) input(g: uniform(0, 5)) size(m=900) size(m=20) size(m=8)
void pick(const float *x, const unsigned *g, float *y, int m)
{
    for (int i = 0; i < m; i++)
        y[i] = x[(int)g[i] - 3 < 0 ? 0 : (int)g[i] - 3] + x[((int)g[i] - 4) / 2 + 2] + x[(((int)g[i] - 4) >> 1) + 2];
}
