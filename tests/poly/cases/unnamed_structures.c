// A variable of a structure that has no name, which a helper reads as a whole. want: parallel
// chain: parallelize@C
#pragma regraph size(m=50) size(m=3)
static struct {
    double w[8], scale;
} cfg;
static double value(double x, int k)
{
    return x * cfg.w[k & 7] + cfg.scale;
}
void weigh(const double *x, double *y, int m)
{
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (int k = 0; k < 8; k++)
            s += value(x[i], k + i);
        y[i] = s;
    }
}
