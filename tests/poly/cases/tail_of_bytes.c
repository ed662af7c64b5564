// Behind a loop by steps the label, or the test, says which elements are read: none behind the last. want: parallel
#include <stddef.h>
#pragma regraph size(n=902) size(n=7) size(n=8) size(n=9) size(n=1)
void sums(const unsigned char *in, const unsigned char *also, size_t n, int *out)
{
    size_t i;
    for (i = 0; i + 2 < n; i += 3) out[i / 3] = in[i] + in[i + 1] + in[i + 2] + also[i];
    switch (n - i) {
    case 1:
        out[n / 3] = in[i];
        break;
    case 2:
        out[n / 3] = in[i] + in[i + 1];
        break;
    default:
        break;
    }
    if (i < n) out[n / 3] += also[i] + (i + 1 < n ? also[i + 1] : 0);
}
