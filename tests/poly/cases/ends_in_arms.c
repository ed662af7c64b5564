// Rounds that end for one of three reasons, in arms of one condition. want: parallel
// chain: parallelize@C
// lacks: one thread: loop r
#pragma regraph size(n = 300, limit = 20) size(n = 8, limit = 3) size(n = 2, limit = 1) size(n = 40, limit = 50)       \
    input(x                                                                                                            \
          : uniform(0, 9))
int settle(int *x, int *y, int n, int limit, int *rounds)
{
    int why = 0, r;
    for (r = 0; r < limit; r++) {
        long sum = 0, moved = 0, risen = 0;
        for (int i = 0; i < n; i++) {
            const int l = x[i ? i - 1 : n - 1], v = (l + x[i] * 2) / 3;
            y[i] = v;
            sum += v;
            moved += v != x[i];
            risen += v > x[i];
        }
        for (int i = 0; i < n; i++) x[i] = y[i];
        if (sum == 0) {
            why = 1;
            break;
        } else if (moved == 0) {
            why = 2;
            break;
        } else if (risen == 0) {
            why = 3;
            break;
        }
    }
    *rounds = r;
    return why;
}
