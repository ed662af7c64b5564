// Bit-fields that are only read: each has the value that C gives it, and elements are copied as a whole. want: parallel
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    float weight;
    struct { unsigned one_way : 1, closed : 1, kind : 3; } opt;
    int turn : 5, : 2, slope : 11;
    unsigned wide : 32;
    bool used : 1;
    uint16_t class : 9;
    char name[2];
} arc;

void bit_fields(int n, const arc *restrict a, const float *restrict by, long *restrict y, float *restrict z,
                arc *restrict kept)
{
    for (int i = 0; i < n; i++) {
        const arc *p = a + i;
        y[i] = p->opt.closed && !p->used ? -1 : p->opt.kind * 3 + p->turn - p->slope;
        y[i] += (p->opt.one_way - 2 < 0) + (long)p->wide + (p->wide - 1 > 7) + (p->class << 3);
        z[i] = p->weight * by[p->opt.kind] + p->opt.kind;
        kept[n - 1 - i] = *p;
    }
}
#pragma regraph extent(by: 8)
