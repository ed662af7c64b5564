/* Barriers of an overlapped tile: where the threads of a block must meet between sweeps. Two of them touch one element
 * of shared memory only where one reads what the other has written, or will write. */
#include "poly/steps/overlapped_tile.h"

struct touched { /* in shared memory, since the threads last met */
    bool read[STENCIL_ARRAYS], written[STENCIL_ARRAYS];
};

struct tiling {
    const struct poly_stencil *st;
    const struct poly_time_shape *x;
    const struct poly_time_slots *slots;
};

static bool crosses(const struct tiling *b, const struct poly_stencil_access *a)
{
    int64_t points = 1;
    for (int d = 0; d < b->st->n_dims; d++) points *= b->x->points[d];
    for (int r = 0; r < points; r++) {
        int64_t owner;
        rg__poly_time_neighbour(b->st, b->x, r, a->by, &owner);
        if (owner) return true;
    }
    return false;
}

static void iteration(const struct tiling *b, struct touched *now, struct poly_time_meetings *m)
{
    for (int i = 0; i < b->st->n_sweeps; i++) {
        const struct poly_sweep *w = &b->st->sweep[i];
        for (int pass = 0; pass < 2; pass++) {
            bool meet = false;
            for (int x = 0; x < w->n_accesses; x++) {
                const struct poly_stencil_access *a = &b->st->access[w->first_access + x];
                meet = meet || (pass ? a->write && now->read[a->array] : now->written[a->array] && crosses(b, a));
            }
            if (meet) {
                *now = (struct touched){{false}, {false}};
                *(pass ? &m->behind[i] : &m->before[i]) = true;
            }
            for (int x = 0; x < w->n_accesses; x++) {
                const struct poly_stencil_access *a = &b->st->access[w->first_access + x];
                if (pass && a->write && b->slots->n[a->array])
                    now->written[a->array] = true;
                else if (!pass && crosses(b, a))
                    now->read[a->array] = true;
            }
        }
    }
}

void rg__poly_time_meetings(const struct poly_stencil *st, const struct poly_time_shape *x,
                            const struct poly_time_slots *slots, struct poly_time_meetings *m)
{
    struct tiling b = {st, x, slots};
    struct touched now = {{false}, {false}};
    *m = (struct poly_time_meetings){{false}, {false}};
    for (int a = 0; a < st->n_arrays; a++) now.written[a] = slots->n[a] > 0 && !rg__poly_stencil_anew(&st->array[a]);
    for (int round = 0; round < 2 * STENCIL_ARRAYS + 2; round++) {
        struct touched end = now;
        iteration(&b, &end, m);
        for (int a = 0; a < st->n_arrays; a++) {
            now.read[a] = now.read[a] || end.read[a];
            now.written[a] = now.written[a] || end.written[a];
        }
    }
}
