// A flag asks the sum in front of the addition, set back behind it: no maximum, one thread sums. want: parallel
#pragma regraph size(n=3000) size(n=1) size(n=300) input(a: uniform(-100, 100))
int late(const int *a, int n, int *from)
{
    int run = 0, best = 0, start = 0;
    *from = -1;
    for (int i = 0; i < n; i++) {
        int fallen = run < 0;
        run += a[i];
        if (fallen) {
            run = 0;
            start = i;
        }
        if (run > best) {
            best = run;
            *from = start;
        }
    }
    return best;
}
