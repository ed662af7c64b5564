// Each row of a matrix, and what stands first in it: a launch for all rows, and their statements apart. want: parallel
// chain: parallelize@C
// shows: sort: blocks sort tiles, then merge runs of them, a piece for each r
#include <stdlib.h>
static int cmp(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
#pragma regraph size(rows=40,cols=300) size(rows=3,cols=2500) size(rows=7,cols=5)
void sort_rows(int rows, int cols, int *m, int *top)
{
    for (int r = 0; r < rows; r++) {
        qsort(m + r * cols, cols, sizeof *m, cmp);
        top[r] = m[r * cols];
    }
}
