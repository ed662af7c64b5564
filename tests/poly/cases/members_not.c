// What the members of a structure become goes by one another in no linear way. want: sequential
#pragma regraph size(n=500) size(n=1) size(n=33)
typedef struct { double level, rate; } filter;
static filter step(filter f, double x)
{
    filter g;
    g.level = f.level + f.rate * (x - f.level);
    g.rate = f.rate > 0.25 ? f.rate * 0.5 : f.rate * f.rate + 0.125;
    return g;
}
filter settle(int n, const double x[n])
{
    filter f = {0, 1};
    for (int i = 0; i < n; i++) f = step(f, x[i]);
    return f;
}
