// says: far_away.c:7: scatter touches memory out of bounds
// says: it reads y[
#pragma regraph size(n=1000) extent(y: n) role(y: inout) input(at: uniform(0, n-1))
void scatter(int n, const int *at, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[3 * at[i] + 2 * n] += x[i];
}
