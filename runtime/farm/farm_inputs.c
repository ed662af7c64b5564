/* What an input of the timed size holds, as far as a line can tell: a range, and of numbers that ascend (row pointers)
 * by how much. */
#include "runtime/data/layout.h"
#include "runtime/farm/farm.h"

static const int64_t most_elements = 1 << 26; /* a quarter of a second */

static const struct rg_case *shown_case(const struct rg_farm *f)
{
    for (int i = 0; i < f->n_cases; i++)
        if (f->cases[i].timed) return &f->cases[i];
    return NULL;
}

static void look(enum rg_scalar t, const unsigned char *data, int64_t n, struct rg_input_facts *out)
{
    size_t bytes = rg_scalar_bytes(t);
    bool real = rg_scalar_is_real(t);
    double first = 0, last = 0;
    for (int64_t i = 0; i < n; i++) {
        const unsigned char *at = data + (size_t)i * bytes;
        double v = real ? rg__load_real(t, at) : (double)rg__load_int(t, at);
        if (i == 0) {
            *out = (struct rg_input_facts){.least = v, .most = v, .whole = !real, .ascends = !real && n > 2};
            first = v;
        } else if (out->ascends) {
            double step = v - last;
            out->ascends = step >= 0;
            if (i == 1 || step < out->least_step) out->least_step = step;
            if (i == 1 || step > out->most_step) out->most_step = step;
        }
        if (v < out->least) out->least = v;
        if (v > out->most) out->most = v;
        last = v;
    }
    if (out->ascends && n > 1) out->mean_step = (last - first) / (double)(n - 1);
}

bool rg_farm_input(const struct rg_farm *f, int param, struct rg_input_facts *out)
{
    const struct rg_problem *p = f->problem;
    const struct rg_param *q = &p->params[param];
    const struct rg_case *c = shown_case(f);
    if (!c || q->kind != RG_PARAM_ARRAY || q->elem == RG_STRUCT || q->role == RG_ROLE_OUT) return false;
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout l;
    struct rg_mapping m;
    bool known = rg__layout(&a, p, &p->sizes[c->size], true, &l, NULL) == RG_OK;
    int64_t at = known ? l.slots[param].input : -1, n = known ? l.slots[param].elements : 0;
    rg_arena_release(&a);
    if (at < 0 || n < 1 || n > most_elements || rg__shm_map(f->shm.fd, c->at, false, &m, NULL) != RG_OK) return false;
    look(q->elem, (const unsigned char *)m.data + at, n, out);
    rg__shm_unmap(&m);
    return true;
}
