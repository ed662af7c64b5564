// Sums that are kept above nothing, or below what a vessel holds, whose every value is stored. want: parallel
#pragma regraph size(n=40000) size(n=1) size(n=300) input(in: uniform(-5, 5)) input(x: uniform(-1, 1)) input(k: uniform(0, 0.5))
void levels(const int *in, const double *x, int n, double k, int *level, double *alarm)
{
    int l = 0;
    double s = 0;
    for (int i = 0; i < n; i++) {
        l = l + in[i] < 0 ? 0 : l + in[i];
        level[i] = l;
    }
    for (int i = 0; i < n; i++) {
        s += x[i] - k;
        if (s < 0) s = 0;
        alarm[i] = s;
    }
}
