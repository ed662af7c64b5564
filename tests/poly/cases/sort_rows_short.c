// Rows of a few elements: a thread sorts each. want: parallel
// chain: parallelize@C
// lacks: rg_sort_tile<[0-9]+,
#include <stdlib.h>
static int cmp(const void *a, const void *b) { double x = *(double *)a, y = *(double *)b; return x < y ? -1 : x > y; }
#pragma regraph size(rows=400,cols=9) size(rows=3,cols=2)
void sort_short(int rows, int cols, double m[rows][cols])
{
    for (int r = 0; r < rows; r++) qsort(m[r], cols, sizeof(double), cmp);
}
