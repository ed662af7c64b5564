/* Kernel IR: the verifier. Barriers here; names, shared memory and bounds in files of their own. */
#include "poly/kir/verify.h"
#include <stdio.h>
#include <stdlib.h>

struct looking {
    const struct kir_node *what;
    int line;
};

/* The line of the innermost statement around `what` that has one. */
static bool line_of(const struct kir_node *n, struct looking *l, int line)
{
    if (!n) return false;
    line = n->line ? n->line : line;
    if (n == l->what) {
        l->line = line;
        return true;
    }
    for (int i = 0; i < n->n; i++)
        if (line_of(n->kid[i], l, line)) return true;
    return false;
}

bool rg__kir_refuse(const struct kir_kernel *k, struct kir_refusal *why, const struct kir_node *n, const char *fmt, ...)
{
    struct looking l = {n, 0};
    va_list ap;
    if (*why->text) return false;
    line_of(k->body, &l, 0);
    va_start(ap, fmt);
    vsnprintf(why->text, sizeof why->text, fmt, ap);
    va_end(ap);
    why->node = n;
    why->line = l.line;
    return false;
}

/* ---- barriers ---- */

struct meeting {
    const struct kir_kernel *k;
    const enum kir_scope *of;
    struct kir_refusal *why;
};

/* Whose threads must come to the node together; THREAD: nobody's. */
static enum kir_scope together(const struct kir_kernel *k, const struct kir_node *n)
{
    const struct kir_node *lane = n->kind == KIR_SHUFFLE ? rg__kir_loop_of(k, KIR_LANE) : NULL;
    int64_t lanes;
    if (lane && rg__kir_number(k, lane->kid[1], &lanes) && n->width == lanes) return KIR_LANES;
    return n->kind == KIR_BARRIER                            ? n->scope
           : n->kind == KIR_SORT && n->sort != KIR_SORT_OWN  ? KIR_BLOCK
           : n->kind == KIR_PHASE && n->phase->meets         ? KIR_BLOCK
           : n->kind == KIR_SHUFFLE || n->kind == KIR_MATRIX ? KIR_WARP
                                                             : KIR_THREAD;
}

static bool check_meets(struct meeting *m, const struct kir_node *n, enum kir_scope under)
{
    enum kir_scope v = under;
    if (!n) return true;
    if (together(m->k, n) > under)
        return rg__kir_refuse(m->k, m->why, n,
                              "a %s of the %s stands where its threads may not all come: a condition or a loop around "
                              "it varies in the %s",
                              rg__kir_kind_word(n->kind), rg__kir_scope_word(together(m->k, n)),
                              rg__kir_scope_word(together(m->k, n)));
    bool branches = n->kind == KIR_IF || n->kind == KIR_WHILE || n->kind == KIR_SELECT ||
                    (n->kind == KIR_BINARY && rg_c_lazy(n->op)) ||
                    (n->kind == KIR_FOR && !rg__kir_is_thread_loop(n->loop));
    bool loop = n->kind == KIR_WHILE || (n->kind == KIR_FOR && branches);
    int conditions = n->kind == KIR_FOR ? 3 : 1;
    if (loop)
        v = rg__kir_leaving(m->k, m->of, n->kid[conditions]) < v ? rg__kir_leaving(m->k, m->of, n->kid[conditions]) : v;
    for (int i = 0; i < n->n; i++) {
        if (!check_meets(m, n->kid[i], branches && i >= conditions ? v : under)) return false;
        if (branches && i < conditions) {
            enum kir_scope own = rg__kir_varies_in(m->k, m->of, n->kid[i]);
            v = own < v ? own : v;
        }
    }
    return true;
}

static bool verify_barriers(const struct kir_kernel *k, struct kir_refusal *why)
{
    enum kir_scope *of = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *of);
    struct meeting m = {k, of, why};
    rg__kir_variance(k, of);
    bool ok = check_meets(&m, k->body, rg__kir_leaving(k, of, k->body));
    free(of);
    return ok;
}

bool rg__kir_verify(const struct kir_kernel *k, struct kir_refusal *why)
{
    *why = (struct kir_refusal){.node = NULL};
    return rg__kir_verify_names(k, why) && verify_barriers(k, why) && rg__kir_verify_shared(k, why) &&
           rg__kir_verify_bounds(k, why);
}
