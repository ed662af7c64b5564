// Members of a structure of the file that no function changes but the one that sets it up bound loops. want: parallel
static struct {
    double rate;
    int dates, sets;
    double factor[64];
    struct { int flag; double cap; } of[8];
} market;
#pragma regraph size(n=900,market.dates=12,market.sets=5) size(n=7,market.dates=3,market.sets=2)
#pragma regraph size(n=1,market.dates=1,market.sets=1) extent(cube: market.sets*market.dates*n)
double file_scope_fields(double *cube, int n)
{
    const int nd = market.dates, ns = market.sets;
    double all = 0;
    for (int p = 0; p < n; p++) {
        double r = market.rate, kept[8] = {0};
        for (int k = 0; k < nd; k++) {
            r = r * 0.9 + market.factor[k] * (p % 7);
            for (int s = 0; s < ns; s++) {
                double x = r * (s + 1) - kept[s];
                cube[((long)s * nd + k) * n + p] = x;
                if (x > market.of[s].cap) kept[s] = x;
            }
        }
    }
    for (int s = 0; s < ns; s++)
        for (int k = 0; k < nd; k++) all += cube[((long)s * nd + k) * n];
    return all;
}
