// Buffers chosen by the counter where data end the passes early, in a pass that leaves a pointer set, and by data: passes as they stand. want: parallel
#pragma regraph size(n=2000) size(n=1) size(n=70) extent(flag: n) extent(x: n) extent(y: n) input(flag: uniform(0, 1)) input(x: uniform(0, 99)) input(y: uniform(0, 99))
void few_trips_not(const int *flag, int *x, int *y, int n)
{
    for (int k = 0; k < 4; k++) {
        int *from = k % 2 ? y : x, *to = k % 2 ? x : y;
        if (flag[0] && k == 3) break;
        for (int i = 0; i < n; i++) to[i] = from[i] + k, to[i]++;
    }
    int *last = x;
    for (int k = 0; k < 3; k++) {
        last = k == 1 ? x : y;
        for (int i = 0; i < n; i++) last[i] += 1;
    }
    last[0] += 5;
    for (int k = 0; k < 3; k++) {
        int *to = k == 1 && flag[n / 2] ? x : y;
        for (int i = 0; i < n; i++) to[i] += 3;
    }
    for (int k = 0; k < 2; k++) {
        int *to = k ? x + n / 2 : y;
        for (int i = 0; i < n / 2; i++) to[i] -= 1;
    }
}
