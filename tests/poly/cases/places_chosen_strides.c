// want: parallel
/* Strides that a flag chooses in front of the loops: of rows, or of columns. */
#include <stddef.h>
#pragma regraph size(n=50, m=40, column_major=0) size(n=50, m=41, column_major=1) size(n=1, m=7, column_major=2)
#pragma regraph size(n=5, m=1, column_major=1)
#pragma regraph extent(a: n * m) extent(out: n * m) extent(flipped: n * m)
void places_chosen_strides(size_t n, size_t m, int column_major, const double *a, double *out, double *flipped)
{
    size_t rs = column_major ? 1 : m, cs = column_major ? n : 1, i = 0;
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < m; c++) out[r * rs + c * cs] = a[r * m + c] + 1;
    int up = (int)n, across = 1;
    if (column_major > 1) {
        up = 1;
        across = (int)m;
    }
    while (i < n) {
        for (int j = 0; j < (int)m; j++) flipped[(column_major > 1 ? (int)i * across : (int)i) + j * up] = 2 * a[i * m + j];
        i++;
    }
}
