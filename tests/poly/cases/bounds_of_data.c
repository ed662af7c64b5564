// From one value of data to another, up and down, with nothing around. want: parallel
#pragma regraph size(n=20000) size(n=1) size(n=700) extent(at: 2) extent(x: n) extent(y: n) input(at: uniform(0, n)) role(y: inout)
void bounds_of_data(const int *at, const double *x, double *y, int n)
{
    for (int i = at[0]; i < at[1]; i++) y[i] += 2 * x[i];
    for (int i = at[0] - 1; i >= at[1]; i--) y[i] -= x[i] * x[i];
}
