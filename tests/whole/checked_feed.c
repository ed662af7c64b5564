/* Feed of price ticks: each is checked against a running state; the first that makes no sense ends the job with its
 * number, and nothing else is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    long long volume;
    int last, seen, run;
};

long long load_feed(int n, int days, const int *price, const int *amount, int *high, long long *total)
{
    struct state st;

    for (int d = 0; d < days; d++) {
        st.volume = 0;
        st.last = -1;
        st.seen = st.run = 0;
        for (int i = 0; i < n; i++) {
            int p = price[d * n + i];
            if (p == 0)
                continue;
            if (++st.seen > 3 && p > 100 * (st.last + 1))
                return -(1 + (long long)d * n + i);
            st.run = p == st.last ? st.run + 1 : 0;
            if (st.run > 40)
                return -1000000000LL - i;
            st.last = p;
            st.volume += (long long)p * amount[d * n + i];
        }
        total[d] = st.volume;
    }
    for (int d = 0; d < days; d++) {
        high[d] = 0;
        for (int i = 0; i < n; i++)
            if (price[d * n + i] > high[d])
                high[d] = price[d * n + i];
    }
    return days;
}

int main(void)
{
    enum { N = 200, DAYS = 30 };
    int *p = malloc(N * DAYS * sizeof *p), *a = malloc(N * DAYS * sizeof *a), high[DAYS];
    long long total[DAYS], sum = 0, got;

    for (int i = 0; i < N * DAYS; i++) p[i] = 1000 + i * 7919 % 300, a[i] = i % 90;
    got = load_feed(N, DAYS, p, a, high, total);
    for (int d = 0; d < DAYS; d++) sum += total[d] + high[d];
    printf("%lld %lld\n", got, sum);
    free(p), free(a);
    return 0;
}
