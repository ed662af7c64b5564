// Scans behind a condition of sizes, and behind one of data: the plan asks, and the grid goes through them. want: parallel
// chain: scan.block@C
// shows: scan_in_branch_kernel[0-9]+<<<max\(1, min\(
// lacks: scan.block: a block shares
#pragma regraph size(n=60000) size(n=700) size(n=2) size(n=1) input(x: uniform(-50, 49)) input(mode: uniform(0, 2))
unsigned scan_in_branch(unsigned n, const int *x, const int *mode, int *y)
{
    unsigned m = 0;
    if (n < 2)
        return 7;
    if (*mode == 1) {
        for (unsigned i = 0; i < n; i++)
            if (x[i] > 0)
                y[m++] = x[i];
    } else {
        int run = 0;
        for (unsigned i = 0; i < n; i++) {
            run += x[i];
            y[i] = run;
        }
        m = n;
    }
    return m;
}
