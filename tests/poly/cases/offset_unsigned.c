// Elements a way ahead, where there are any, of unsigned numbers that may come round: each iteration by itself. want: parallel
#pragma regraph extent(x: n) extent(y: n) size(n=900, s=7) size(n=7, s=2) size(n=8, s=9) size(n=5, s=4294967295)
void ahead(const float *x, float *y, unsigned n, unsigned s)
{
    for (unsigned i = 0; i < n; i++) y[i] = i + s < n ? x[i + s] - x[i] : 0;
}
