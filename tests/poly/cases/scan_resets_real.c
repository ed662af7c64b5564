// A sum of reals and gathered bits that data set anew. want: parallel
// chain: scan.block@C
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(0, 30)) input(start: choice(0, 0, 0, 0, 1)) role(sum: out) role(seen: out)
void scan_resets_real(const int *x, const int *start, double *sum, unsigned *seen, int n)
{
    double s = 1.0;
    unsigned bits = 5;
    for (int i = 0; i < n; i++) {
        s = start[i] ? 0.0 : s;
        bits = start[i] ? 1u << x[i] : bits;
        s += 0.5 * x[i];
        bits |= 1u << x[i];
        sum[i] = s;
        seen[i] = bits;
    }
}
