// A short one stays with its block: launches would take longer. want: parallel
// chain: scan.block@C
// lacks: part[0-9]*_s
#pragma regraph size(n=3000) size(n=1) size(n=700) input(x: uniform(-50, 49))
int scan_in_branch_not(int n, const int *x, int *y)
{
    int s = 0;
    if (n < 2)
        return -1;
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
    return s;
}
