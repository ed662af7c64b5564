// An element that a loop of two bounds sets inside, of which one is a flag of its own. want: parallel
// chain: scan.block
#pragma regraph size(n=70) size(n=7) size(n=5)
void scan_condition(int n, const double x[n], const double d[n], double y[n + 4]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n && j <= i; j++)
            if (j > 0 && d[i] > 0.3 + d[j]) y[3] = 0.2 * x[j];
}
