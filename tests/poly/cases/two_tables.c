// Tables of one name in two helpers and a third at file scope stand beside each other on the device. want: parallel
static const double base[2] = {1.5, 2.5};
static double first(int x)
{
    static const double base[3] = {0.1, 0.2, 0.3};
    return base[x];
}
static double second(int x)
{
    static const double base[3] = {0.4, 0.5, 0.6};
    return base[x] + first(x);
}
#pragma regraph size(n=20000) size(n=37)
void two_tables(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = first(i % 3) * x[i] + second(i % 3) + base[i % 2];
}
