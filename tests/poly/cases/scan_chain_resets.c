// A sum along an array, anew where a group begins: the first element has none before it, by an unsigned counter, and what is no number in front of a beginning is left out, not multiplied by 0. want: parallel
// chain: scan.block
// shows: dist_by_dist != 0\.0 \?
#include <stddef.h>
#pragma regraph size(n=30000) size(n=70) size(n=3) size(n=1) input(group: uniform(0, 3))
void scan_chain_resets(size_t n, const int group[n], const double x[n], double dist[n])
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || group[i] != group[i - 1])
            dist[i] = 0.0;
        else
            dist[i] = dist[i - 1] + x[i];
    }
}
