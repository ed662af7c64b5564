// Elements below a pivot go to the front, all others behind them, in order. want: parallel
// chain: scan.block@C
// shows: hi_end
#pragma regraph size(n=5000) size(n=33) size(n=1)
#include <stddef.h>
struct item { float key; int from; };
size_t split(const struct item *in, struct item *out, size_t n, float pivot)
{
    size_t low = 0, lo = 0, hi;
    for (size_t i = 0; i < n; i++)
        if (in[i].key < pivot) low++;
    hi = low;
    for (size_t i = 0; i < n; i++) {
        if (in[i].key < pivot)
            out[lo++] = in[i];
        else
            out[hi++] = in[i];
    }
    return low;
}
