// Merge sort of records, bottom up between two arrays that change places: equal ones keep their order. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*when
#include <stdlib.h>
struct event {
    float when;
    int source;
};
#pragma regraph size(n=3000) size(n=50)
#pragma regraph input(e: uniform(0,20))
void in_time(struct event *e, int n)
{
    struct event *from = e, *to = malloc(n * sizeof *to), *scratch = to;
    for (int w = 1; w < n; w *= 2) {
        for (int s = 0; s < n; s += 2 * w) {
            int m = s + w < n ? s + w : n, end = s + 2 * w < n ? s + 2 * w : n, p = s, q = m;
            for (int o = s; o < end; o++)
                to[o] = q >= end || (p < m && from[p].when <= from[q].when) ? from[p++] : from[q++];
        }
        struct event *x = from;
        from = to;
        to = x;
    }
    if (from != e)
        for (int i = 0; i < n; i++) e[i] = from[i];
    free(scratch);
}
