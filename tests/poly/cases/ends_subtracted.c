// How many elements there are is the difference of two parameters. want: parallel
#include <stddef.h>
void ends_subtracted(const double *begin, const double *end, double *out)
{
    const size_t n = (size_t)(end - begin);
    for (size_t i = 0; i < n; i++) out[i] = begin[i] * 2 - begin[n - 1 - i];
}
