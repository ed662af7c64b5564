// Scans whose loops begin below zero, go down in steps, or count without sign: iterations by number. want: parallel
// chain: scan.block
#pragma regraph size(n=300) size(n=7) size(n=1)
void scan_numbers(int n, const int x[n + 8], int up[n + 8], int down[2 * n + 8], unsigned char high[n + 8]) {
    int s = 3, most = -1000;
    unsigned h = 0;
    for (int i = -8; i < n; i++) {
        s = 3 * s + x[i + 8];
        up[i + 8] = s;
    }
    for (int i = 2 * n; i > -1; i -= 2) {
        most = x[i / 2] > most ? x[i / 2] : most;
        down[i] = most;
    }
    for (unsigned i = 1; i < (unsigned)n; i++) {
        h += (unsigned)x[i];
        high[i] = (unsigned char)(h % 251u);
    }
}
