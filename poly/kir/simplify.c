/* Kernel IR: passes that make a kernel shorter and leave what it does. */
#include "poly/kir/kir.h"
#include <stdlib.h>

/* ---- numbers, and what they decide ---- */

static bool declares(const struct kir_node *seq)
{
    for (int i = 0; i < seq->n; i++)
        if (seq->kid[i]->kind == KIR_LET || seq->kid[i]->kind == KIR_VAR) return true;
    return false;
}

static bool empty(const struct kir_node *n)
{
    return !n || (n->kind == KIR_SEQ && n->n == 0);
}

static void nothing(void *arg, const struct kir_node *value)
{
    (void)arg;
    (void)value;
}

static struct kir_node *short_loop(struct kir_kernel *k, struct kir_node *n)
{
    int64_t first, end, step;
    if (rg__kir_is_thread_loop(n->loop)) return n;
    if (empty(n->kid[3])) return NULL;
    if (!rg__kir_number(k, n->kid[0], &first) || !rg__kir_number(k, n->kid[1], &end)) return n;
    if (!rg__kir_number(k, n->kid[2], &step) || !step) return n;
    if (step > 0 ? first >= end : first <= end) return NULL;
    if (step > 0 ? end - first > step : first - end > -step) return n;
    /* The user's code names the variable. */
    if (rg__kir_has_opaque(n->kid[3]) || rg__kir_left(n->kid[3], false, nothing, NULL)) return n;
    return rg__kir_replace(k, n->kid[3], n->symbol, rg__kir_cast(k, k->symbols[n->symbol].type, n->kid[0]));
}

static struct kir_node *shorter(void *arg, struct kir_kernel *k, struct kir_node *n)
{
    struct kir_node *x = n;
    (void)arg;
    switch (n->kind) {
    case KIR_UNARY:
        return rg__kir_unary(k, n->op, n->kid[0]);
    case KIR_BINARY:
        return rg__kir_binary(k, n->op, n->kid[0], n->kid[1]);
    case KIR_MIN:
        return rg__kir_min(k, n->kid[0], n->kid[1]);
    case KIR_MAX:
        return rg__kir_max(k, n->kid[0], n->kid[1]);
    case KIR_CAST:
        return rg__kir_cast(k, n->type, n->kid[0]);
    case KIR_SELECT:
        return n->kid[0]->kind == KIR_INT ? rg__kir_select(k, n->kid[0], n->kid[1], n->kid[2]) : n;
    case KIR_FOR:
        return short_loop(k, n);
    case KIR_IF:
        if (n->kid[0]->kind == KIR_INT) return n->kid[0]->ivalue ? n->kid[1] : n->kid[2];
        if (empty(n->kid[1]) && empty(n->kid[2])) return NULL;
        if (empty(n->kid[2]) && n->kid[2]) {
            x = rg__kir_copy_node(k, n);
            x->kid[2] = NULL;
        }
        return x;
    case KIR_SEQ:
        for (int i = 0; i < n->n; i++) /* what declares nothing needs no scope of its own */
            if (n->kid[i]->kind == KIR_SEQ && !n->kid[i]->note && !declares(n->kid[i])) {
                x = rg__kir_seq(k);
                x->note = n->note;
                x->line = n->line;
                for (int j = 0; j < n->n; j++) {
                    bool flat = n->kid[j]->kind == KIR_SEQ && !n->kid[j]->note && !declares(n->kid[j]);
                    (flat ? rg__kir_add_to : rg__kir_add_scope)(k, x, n->kid[j]);
                }
                return x;
            }
        return n;
    default:
        return n;
    }
}

struct kir_node *rg__kir_simplify(struct kir_kernel *k, struct kir_node *n)
{
    return rg__kir_rewrite(k, n, shorter, NULL);
}

/* ---- names that nothing uses ---- */

static bool count(void *arg, const struct kir_node *n)
{
    int *uses = arg;
    bool own = n->kind == KIR_FOR || n->kind == KIR_LET || n->kind == KIR_VAR;
    if (n->symbol >= 0 && !own) uses[n->symbol]++;
    return true;
}

struct dropping {
    const int *uses;
    bool any;
};

static struct kir_node *unused(void *arg, struct kir_kernel *k, struct kir_node *n)
{
    struct dropping *d = arg;
    (void)k;
    if ((n->kind != KIR_LET && n->kind != KIR_VAR) || d->uses[n->symbol]) return n;
    d->any = true;
    return NULL;
}

struct kir_node *rg__kir_drop_lets(struct kir_kernel *k, struct kir_node *n)
{
    for (bool again = !rg__kir_has_opaque(n); again && n;) { /* the user's code may mean any name */
        int *uses = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *uses);
        struct dropping d = {uses, false};
        rg__kir_walk(n, count, uses);
        n = rg__kir_rewrite(k, n, unused, &d);
        again = d.any;
        free(uses);
    }
    return n;
}

/* ---- what does not vary in a loop ---- */

static bool names_inside(void *arg, const struct kir_node *n)
{
    bool *inside = arg;
    bool sets = n->kind == KIR_FOR || n->kind == KIR_LET || n->kind == KIR_VAR || n->kind == KIR_ASSIGN ||
                n->kind == KIR_ATOMIC;
    if (sets && n->symbol >= 0) inside[n->symbol] = true;
    return true;
}

/* Is it arithmetic over names of outside alone? It reads no memory, divides by numbers alone, and no lanes take part.
 */
static bool invariant(const struct kir_node *n, const bool *inside)
{
    bool divides = n->kind == KIR_BINARY && (n->op == RG_COP_DIV || n->op == RG_COP_REM);
    if (n->kind == KIR_ELEMENT || n->kind == KIR_SHUFFLE || n->kind == KIR_CALL || n->kind == KIR_QUOTED ||
        (n->kind == KIR_NAME && inside[n->symbol]))
        return false;
    if (divides && (n->kid[1]->kind != KIR_INT || n->kid[1]->ivalue == 0)) return false;
    for (int i = 0; i < n->n; i++)
        if (!invariant(n->kid[i], inside)) return false;
    return true;
}

static bool has_let(const struct kir_node *seq, int symbol)
{
    for (int i = 0; i < seq->n; i++)
        if (seq->kid[i]->kind == KIR_LET && seq->kid[i]->symbol == symbol) return true;
    return false;
}

static struct kir_node *outwards(void *arg, struct kir_kernel *k, struct kir_node *n)
{
    struct kir_node *out = NULL;
    (void)arg;
    for (int i = 0; n->kind == KIR_SEQ && i < n->n; i++) {
        struct kir_node *loop = n->kid[i];
        if (loop->kind == KIR_FOR && !rg__kir_is_thread_loop(loop->loop)) {
            bool *inside = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *inside);
            struct kir_node *body = loop->kid[3], *kept = rg__kir_seq(k);
            rg__kir_walk(loop, names_inside, inside);
            for (int j = 0; j < body->n; j++) {
                struct kir_node *let = body->kid[j];
                bool again = out && let->kind == KIR_LET && has_let(out, let->symbol); /* in a loop before this one */
                if (let->kind == KIR_LET && !again && invariant(let->kid[0], inside)) {
                    inside[let->symbol] = false; /* what is made of it may follow */
                    if (!out) {
                        out = rg__kir_seq(k);
                        for (int h = 0; h < i; h++) rg__kir_add_scope(k, out, n->kid[h]);
                    }
                    rg__kir_add_scope(k, out, let);
                } else {
                    rg__kir_add_scope(k, kept, let);
                }
            }
            free(inside);
            if (kept->n < body->n) {
                loop = rg__kir_copy_node(k, loop);
                loop->kid[3] = kept;
            }
        }
        if (out) rg__kir_add_scope(k, out, loop);
    }
    if (!out) return n;
    out->note = n->note;
    out->line = n->line;
    return out;
}

struct kir_node *rg__kir_hoist(struct kir_kernel *k, struct kir_node *n)
{
    return rg__kir_rewrite(k, n, outwards, NULL);
}

/* ---- full and guarded ---- */

static struct kir_node *holds(void *arg, struct kir_kernel *k, struct kir_node *n)
{
    return rg__kir_equal(n, arg) ? rg__kir_int(k, 1) : n;
}

struct kir_node *rg__kir_where_holds(struct kir_kernel *k, struct kir_node *condition, struct kir_node *body)
{
    return rg__kir_simplify(k, rg__kir_rewrite(k, body, holds, condition));
}

struct kir_node *rg__kir_full_and_guarded(struct kir_kernel *k, struct kir_node *all, struct kir_node *each,
                                          struct kir_node *body)
{
    if (each->kind == KIR_INT) return body;
    struct kir_node *bare = rg__kir_where_holds(k, each, body);
    struct kir_node *branch = rg__kir_if(k, all);
    rg__kir_add_to(k, rg__kir_body(branch), bare);
    rg__kir_add_to(k, rg__kir_else(k, branch), body);
    return rg__kir_simplify(k, branch);
}
