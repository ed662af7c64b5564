// The longest stretch above a limit, and where it ends, of a running sum that a second value is a maximum of. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(-9, 9)) input(limit: uniform(-5, 0))
int longest(const int *x, int n, int limit, int *end, long *highest)
{
    int run = 0, best = 0;
    long level = 0, top = 0;
    *end = -1;
    for (int i = 0; i < n; i++) {
        if (x[i] > limit)
            run++;
        else
            run = 0;
        if (run >= best) {
            best = run;
            *end = i;
        }
        level += x[i];
        top = level > top ? level : top;
    }
    *highest = top;
    return best;
}
