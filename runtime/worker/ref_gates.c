#include "runtime/worker/ref_gates.h"
#include "runtime/data/compare.h"
#include "runtime/data/inputs.h"
#include <rg/buf.h>
#include <rg/worker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum null_kernel { DOES_NOTHING, WRITES_ZEROS, WRITES_CONSTANT, N_NULLS };

/* The inputs' part of a case that a null kernel could pass off as output. */
static void forge(enum null_kernel k, const struct rg_param *q, const struct rg_slot *t, const unsigned char *base,
                  const unsigned char *constant, unsigned char *to)
{
    switch (k) {
    case DOES_NOTHING:
        if (t->input >= 0)
            memcpy(to, base + t->input, (size_t)t->bytes);
        else
            memset(to, RG_POISON, (size_t)t->bytes);
        break;
    case WRITES_ZEROS:
        memset(to, 0, (size_t)t->bytes);
        break;
    default:
        for (int64_t i = 0; i < t->elements; i++) memcpy(to + i * q->elem_bytes, constant, (size_t)q->elem_bytes);
    }
}

static bool passes(const struct rg_problem *p, const struct rg_sizes *s, const struct rg_layout *l, int param,
                   const unsigned char *base, const void *got)
{
    struct rg_compare c;
    struct rg_difference d;
    rg__compare_case(&c, p, s, l, param, base, got);
    c.moved = NULL, c.spread = NULL, c.unsettled = NULL; /* an ill-conditioned problem is told as such, not refused */
    rg__compare(&c, &d);
    return d.equal;
}

struct mapped {
    const struct rg_case *c;
    struct rg_layout layout;
    struct rg_mapping m;
};

/* Would kernel `k` pass case `e` as a whole? `first`: the case whose first elements are the constants. */
static bool null_passes(const struct rg_problem *p, const struct mapped *e, const struct mapped *first,
                        enum null_kernel k)
{
    const unsigned char *base = e->m.data;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_slot *t = &e->layout.slots[i];
        if (t->expect < 0) continue;
        unsigned char *got = malloc((size_t)t->bytes);
        if (!got) return false;
        forge(k, &p->params[i], t, base, (const unsigned char *)first->m.data + first->layout.slots[i].expect, got);
        bool ok = passes(p, &p->sizes[e->c->size], &e->layout, i, base, got);
        free(got);
        if (!ok) return false;
    }
    return true;
}

bool rg__gate_varies(const struct rg_problem *p, int param)
{
    const struct rg_param *q = &p->params[param];
    if (q->role == RG_ROLE_OUT) return false;
    bool real = rg_scalar_is_real(q->elem) || q->elem == RG_STRUCT;
    if (q->kind == RG_PARAM_SCALAR && !real) return false;
    switch (q->input.kind) {
    case RG_INPUT_CONSTANT:
    case RG_INPUT_AFFINE:
    case RG_INPUT_FILE:
        return false;
    case RG_INPUT_INIT:
        return real && !rg_problem_makes_sizes(p, param);
    default:
        return true;
    }
}

static bool same_outputs(const struct rg_problem *p, const struct mapped *a, const struct mapped *b)
{
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_slot *t = &a->layout.slots[i];
        if (t->expect >= 0 && memcmp((char *)a->m.data + t->expect, (char *)b->m.data + t->expect, (size_t)t->bytes))
            return false;
    }
    return true;
}

/* Do the two differ in an input that is drawn and only read? What the function writes may be overwritten on every way
 * that is taken (an early return makes it an input by its text): what it held before need not matter. What the init
 * function makes differs between sets by little or nothing, so that equal outputs say nothing; nor do they where
 * numbers alone are drawn beside it: a tolerance, a temperature may matter on one side of a bound alone. */
static bool drawn_differently(const struct rg_problem *p, const struct mapped *a, const struct mapped *b)
{
    bool made = false;
    for (int i = 0; i < p->n_params; i++) made = made || p->params[i].input.kind == RG_INPUT_INIT;
    for (int i = 0; i < p->n_params; i++) {
        if (made && p->params[i].kind == RG_PARAM_SCALAR) continue;
        const struct rg_slot *t = &a->layout.slots[i];
        if (t->input < 0 || p->params[i].role != RG_ROLE_IN || p->params[i].input.kind == RG_INPUT_INIT ||
            !rg__gate_varies(p, i))
            continue;
        if (memcmp((char *)a->m.data + t->input, (char *)b->m.data + t->input, (size_t)t->bytes)) return true;
    }
    return false;
}

/* The sizes of the cases that `of` marks (NULL: all), each once: "n=3, m=5; n=211, m=7". */
static void name_sizes(const struct rg_problem *p, const struct mapped *cases, int n, const bool *of, char *out,
                       size_t size)
{
    size_t at = 0;
    *out = 0;
    for (int i = 0; i < n && at < size; i++) {
        bool again = of && !of[i];
        for (int k = 0; k < i && !again; k++) again = cases[k].c->size == cases[i].c->size && (!of || of[k]);
        for (int k = 0; !again && k < p->n_size_params && at < size; k++)
            at += (size_t)snprintf(out + at, size - at, "%s%s=%lld",
                                   k    ? ", "
                                   : at ? "; "
                                        : "",
                                   rg_param_shown(&p->params[p->size_params[k]]),
                                   (long long)p->sizes[cases[i].c->size].values[k]);
    }
    if (!*out) snprintf(out, size, "its only size");
}

/* Is there anything to compare one constant with but the very elements that it was taken from? Not where the init
 * function makes all inputs of the only size, and the result is one element. */
static bool constant_is_told(const struct rg_problem *p, const struct mapped *cases, int n)
{
    for (int i = 0; i < n; i++) {
        if (cases[i].c->size != cases[0].c->size || drawn_differently(p, &cases[i], &cases[0])) return true;
        for (int k = 0; k < p->n_params; k++)
            if (cases[i].layout.slots[k].expect >= 0 && cases[i].layout.slots[k].elements > 1) return true;
    }
    return false;
}

static enum rg_status check(const struct rg_problem *p, const struct mapped *cases, int n, struct rg_error *err)
{
    char at[400];
    static const char *const what[N_NULLS] = {"leaves its outputs as they were", "writes zeros", "writes one constant"};
    for (int k = 0; k < N_NULLS; k++) {
        bool all = n > 0 && (k != WRITES_CONSTANT || constant_is_told(p, cases, n));
        for (int i = 0; i < n && all; i++) all = null_passes(p, &cases[i], &cases[0], (enum null_kernel)k);
        if (!all) continue;
        name_sizes(p, cases, n, NULL, at, sizeof at);
        return rg_error_set(err, RG_INPUT,
                            "a kernel that %s " RG_PASSES_AS
                            " %s on every input tried (at %s), so a right one cannot be told from it. "
                            "Choose other inputs (`#pragma regraph input(...)`) or sizes, or pass --allow-trivial",
                            what[k], p->function, at);
    }
    bool compared = false, differ = false, *of = rg_xcalloc((size_t)n + 1, sizeof *of);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            if (cases[i].c->size != cases[k].c->size || cases[i].c->seed == cases[k].c->seed ||
                !drawn_differently(p, &cases[i], &cases[k]))
                continue;
            compared = of[i] = of[k] = true;
            differ = differ || !same_outputs(p, &cases[i], &cases[k]);
        }
    name_sizes(p, cases, n, of, at, sizeof at);
    free(of);
    if (compared && !differ)
        return rg_error_set(err, RG_INPUT,
                            "the outputs of %s " RG_SAME_OUTPUTS ": different inputs gave the same outputs at "
                            "%s. Choose inputs "
                            "that matter (`#pragma regraph input(...)`), or pass --allow-trivial",
                            p->function, at);
    return RG_OK;
}

enum rg_status rg__gates(struct rg_worker *w, const struct rg_msg *in, struct rg_error *err)
{
    const struct rg_problem *p = w->problem;
    if (p->allow_trivial) return RG_OK;
    struct rg_arena a = RG_ARENA_INIT;
    struct mapped *cases = rg_arena_alloc(&a, (size_t)(in->n_cases + 1) * sizeof *cases);
    int n = 0;
    enum rg_status s = RG_OK;
    for (int i = 0; i < in->n_cases && s == RG_OK; i++) {
        const struct rg_case *c = &in->cases[i];
        if (!c->expected || c->size >= p->n_sizes) continue;
        s = rg__layout(&a, p, &p->sizes[c->size], true, &cases[n].layout, err);
        if (s == RG_OK) s = rg__shm_map(w->shm, c->at, false, &cases[n].m, err);
        cases[n].c = c;
        if (s == RG_OK) n++;
    }
    if (s == RG_OK) s = check(p, cases, n, err);
    for (int i = 0; i < n; i++) rg__shm_unmap(&cases[i].m);
    rg_arena_release(&a);
    return s;
}

enum rg_status rg__gate_expect_file(const struct rg_problem *p, const struct rg_sizes *sizes, int param,
                                    const struct rg_layout *layout, const unsigned char *base, struct rg_error *err)
{
    const struct rg_param *q = &p->params[param];
    const struct rg_slot *t = &layout->slots[param];
    bool fits = false;
    enum rg_status s = rg__npy_fits(q->expect_file, p, param, sizes, &fits, err);
    if (s != RG_OK || !fits) return s;
    unsigned char *want = malloc((size_t)t->bytes);
    if (!want) return rg_error_set(err, RG_NOMEM, "no memory for %s", q->expect_file);
    s = rg__input_load(q->expect_file, p, param, sizes, want, err);
    if (s == RG_OK) {
        struct rg_compare c = {.problem = p,
                               .param = param,
                               .elements = t->elements,
                               .expect = want,
                               .got = base + t->expect,
                               .n_accum = rg__accumulated(p, sizes)};
        struct rg_difference d;
        rg__compare(&c, &d);
        char text[400];
        rg__compare_text(&c, &d, text, sizeof text);
        if (!d.equal)
            s = rg_error_set(err, RG_INPUT, "the C function does not give what %s says: %s", q->expect_file, text);
    }
    free(want);
    return s;
}
