/* Compressed rows to compressed columns: the column pointers are the cursors, and are moved back behind it. */
#include <stdlib.h>
#include <stdint.h>

struct sparse {
    int32_t nrow, ncol;
    int64_t nnz;
    int64_t *ptr;
    int32_t *ind;
    double *val;
};

int transpose(const struct sparse *a, struct sparse *t)
{
    int32_t r, c;
    int64_t k, at, sum = 0;

    for (c = 0; c < a->ncol; ++c)
        t->ptr[c] = 0;
    for (k = 0; k < a->nnz; ++k)
        ++t->ptr[a->ind[k]];
    for (c = 0; c < a->ncol; ++c) {
        int64_t n = t->ptr[c];
        t->ptr[c] = sum;
        sum += n;
    }
    for (r = 0; r < a->nrow; ++r) {
        for (k = a->ptr[r]; k < a->ptr[r + 1]; ++k) {
            c = a->ind[k];
            at = t->ptr[c];
            t->ind[at] = r;
            t->val[at] = a->val[k];
            t->ptr[c] = at + 1;
        }
    }
    for (c = a->ncol; c > 0; --c)
        t->ptr[c] = t->ptr[c - 1];
    t->ptr[0] = 0;
    return 0;
}
