// The largest sum of neighbours whose sum is set back in front of the addition, with where it began. want: parallel
// lacks: one thread: loop
#pragma regraph size(n=40000) size(n=1) size(n=300) input(a: uniform(-100, 100)) input(w: uniform(-50, 60)) require(n >= 1)
long reset(const int *a, const short *w, int n, int *from, int *to, int *deepest)
{
    long run = 0, best = 0;
    int start = 0, low = 0, least = 0, dry = 0;
    *from = *to = -1;
    for (int i = 0; i < n; i++) {
        if (run <= 0) {
            run = 0;
            start = i;
        }
        run += a[i];
        if (run > best) {
            best = run;
            *from = start;
            *to = i;
        }
    }
    for (int i = 0; i < n; i++) {
        int full = low > 40;
        if (full) low = 40;
        low -= w[i];
        if (low < -30) dry++;
        if (low < least) least = low;
    }
    *deepest = least * 1000 + dry % 1000;
    return best;
}
