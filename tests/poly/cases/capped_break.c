// Who fills the list leaves; so does a window of edges, whose values go along. want: parallel
// chain: scan.block
#pragma regraph size(n=3000, cap=20) size(n=300, cap=400) size(n=9, cap=1) input(img: uniform(0, 255)) input(thr: constant(60))
#include <stddef.h>
size_t capped_break(const unsigned char *img, size_t n, int thr, size_t *pos, short *step, size_t cap)
{
    size_t found = 0;
    for (size_t i = 1; i < n; ++i) {
        int d = img[i] - img[i - 1];
        if (d < 0) d = -d;
        if (d <= thr) continue;
        pos[found] = i;
        step[found++] = (short)d;
        if (found == cap) break;
    }
    return found;
}
