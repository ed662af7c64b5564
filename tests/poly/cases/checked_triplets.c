// Triplets become rows; one out of range ends it, so columns are drawn within it. want: parallel
#pragma regraph extent(col: nnz) extent(val: nnz)
#include <stddef.h>
size_t checked_triplets(const unsigned *ti, const unsigned *tj, const float *tv, size_t nnz, unsigned nrows, unsigned ncols,
                        size_t *start, unsigned *col, float *val)
{
    for (unsigned r = 0; r <= nrows; r++) start[r] = 0;
    for (size_t k = 0; k < nnz; k++) {
        if (ti[k] >= nrows || tj[k] >= ncols) return k + 1;
        start[ti[k] + 1]++;
    }
    for (unsigned r = 0; r < nrows; r++) start[r + 1] += start[r];
    for (size_t k = 0; k < nnz; k++) {
        size_t to = start[ti[k]]++;
        col[to] = tj[k];
        val[to] = tv[k];
    }
    for (unsigned r = nrows; r > 0; r--) start[r] = start[r - 1];
    start[0] = 0;
    return 0;
}
