// A check of sizes by a loop inside another: what returns out of the inner one leaves both. want: parallel
#pragma regraph size(n=64) size(n=8) size(n=2) size(n=33) extent(x: n)
int odd_factor(float *x, int n)
{
    int c = 0;
    for (int a = 2; a < n; a++) {
        for (int b = 2; b <= a; b++)
            if (a * b == 63) return a;
        c += a;
    }
    for (int i = 0; i < n; i++) x[i] = x[i] * 2 + c;
    return -1;
}
