// The first place that meets a condition is kept beside other work: by a negative place, a flag with values, the end. want: parallel
// chain: reduce.block
// shows: taker_acc
#pragma regraph size(n=30000) size(n=1) size(n=70) extent(x: n) extent(y: n) extent(first: 2) extent(last: 1)
#pragma regraph input(x: uniform(0, 999)) input(first: uniform(-1, 1))
long first_takers(int n, const int *x, int *y, long *first, int *last)
{
    int found = 0, place = n, count = 0, with = 0;
    float value = 0;
    *last = -1;
    for (int i = 0; i < n; i++) {
        int v = x[i] * 3 - i % 5;
        y[i] = v;
        if (v > 2900) {
            if (first[1] < 0) first[1] = i;
            count++;
        }
        if (!found) {
            if (v < 30) {
                found = 1;
                value = v * 0.5f;
                with = i + 1;
            }
        }
        if (place == n && v == 7) place = i;
    }
    for (int i = n - 1; i >= 0; i--)
        if (*last == -1 && y[i] % 64 == 9) *last = i;
    return place * 3 + count + with + (long)value + first[1];
}
