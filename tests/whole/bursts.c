/* time since the last event and charge within the burst, peak charge of the burst so far */
#include <stdio.h>
#include <stdint.h>
void bursts(const int *t, const int *q, const char *event, int n, int *since, long *peak, long *total_peak)
{
    int last = -1;
    long charge = 0, top = 0, all = 0;
    for (int i = 0; i < n; i++) {
        if (event[i]) {
            last = t[i];
            charge = 0;
            top = 0;
        }
        charge += q[i];
        top = charge > top ? charge : top;
        since[i] = last < 0 ? -1 : t[i] - last;
        peak[i] = top;
        all = top > all ? top : all;
    }
    *total_peak = all;
}
int main(void)
{
    static int t[1000], q[1000], s[1000];
    static char e[1000];
    static long p[1000];
    long a;
    for (int i = 0; i < 1000; i++) t[i] = 3 * i + i % 2, q[i] = i * 7919 % 201 - 100, e[i] = i % 37 == 5;
    bursts(t, q, e, 1000, s, p, &a);
    long h = 0;
    for (int i = 0; i < 1000; i++) h = (h * 3 + s[i] + p[i]) % 1000003;
    printf("%ld %ld\n", a, h);
    return 0;
}
