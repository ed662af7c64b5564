/* Scratch arrays of loops that are left early: declared in front of the loop, named nowhere else, and filled by every
 * iteration before it reads them. Each iteration gets one of its own, as if it had been declared there: who leaves then
 * depends on nothing that others wrote. */
#include "frontend/normalise/counted_loops.h"
#include <string.h>

struct filling { /* what an iteration has surely stored: elements 0 to filled - 1 */
    struct rg_ctree *t;
    int array;
    int64_t length, filled;
};

static bool number(const struct rg_cnode *e, int64_t *value)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    *value = e->kind == RG_C_INT ? e->ivalue : 0;
    return e->kind == RG_C_INT;
}

/* The counter less a number: i, i - 2. */
static bool behind(const struct rg_cnode *e, int counter, int64_t *by)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    *by = 0;
    if (e->op == RG_COP_SUB && number(e->kid[1], by)) e = rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && e->var == counter;
}

static bool element_of(const struct filling *f, const struct rg_cnode *e)
{
    return e->kind == RG_C_INDEX && e->array == f->array && e->n == 1 && !e->pointer;
}

/* Do all that name the array below name elements that are there? In a loop that fills it (counter >= 0) from `lower`
 * on, those of its rounds before are, and of this one once it has stored. */
static bool there(const struct filling *f, const struct rg_cnode *n, int counter, int64_t lower, bool stored)
{
    int64_t at;
    if (!n || f->filled >= f->length) return true;
    if ((n->kind == RG_C_VAR && n->array == f->array) || n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE)
        return false;
    if (n->kind == RG_C_INDEX && n->array == f->array) {
        if (!element_of(f, n)) return false;
        bool past = counter >= 0 && behind(n->kid[0], counter, &at) && (at > 0 ? lower - at >= 0 : at == 0 && stored);
        return past || (number(n->kid[0], &at) && at >= 0 && at < f->filled);
    }
    for (int i = 0; i < n->n; i++)
        if (!there(f, n->kid[i], counter, lower, stored)) return false;
    return true;
}

/* a[e] = v: the element. */
static const struct rg_cnode *store_to(const struct filling *f, const struct rg_cnode *x)
{
    const struct rg_cnode *e = x->kind == RG_C_STMT ? x->kid[0] : NULL;
    return e && e->op == RG_COP_SET && element_of(f, e->kid[0]) ? e->kid[0] : NULL;
}

/* for (i = lower; i < upper; i++) { ..; a[i] = ..; .. } with lower among what is there. */
static bool fills(struct filling *f, const struct rg_cnode *x)
{
    struct rg__counted h;
    int64_t lower, upper, at;
    const struct rg_cnode *body = x->kid[3];
    bool stored = false;
    if (!x->kid[1] || body->kind != RG_C_BLOCK || rg__leaves_loop(body) || !rg__counted(f->t, x, x->kid[1], &h) ||
        h.step != 1 || h.down || !number(h.lower, &lower) || !number(h.upper, &upper) || lower < 0 || lower > f->filled)
        return false;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *to = store_to(f, body->kid[i]);
        bool this = to && behind(to->kid[0], h.var, &at) && at == 0;
        if (!there(f, this ? body->kid[i]->kid[0]->kid[1] : body->kid[i], h.var, lower, stored)) return false;
        stored |= this;
    }
    if (stored && upper > f->filled) f->filled = upper;
    return true;
}

static bool filled_first(struct filling *f, const struct rg_cnode *block)
{
    for (int i = 0; i < block->n && f->filled < f->length; i++) {
        const struct rg_cnode *x = block->kid[i];
        int64_t at;
        if (!rg__c_mentions_array(x, f->array)) continue;
        const struct rg_cnode *to = store_to(f, x);
        if (x->kind == RG_C_BLOCK) {
            if (!filled_first(f, x)) return false;
        } else if (to && number(to->kid[0], &at) && at == f->filled) {
            if (!there(f, x->kid[0]->kid[1], -1, 0, false)) return false;
            f->filled++;
        } else if (!(x->kind == RG_C_FOR && fills(f, x)) && !there(f, x, -1, 0, false)) {
            return false;
        }
    }
    return true;
}

/* How often the array is named, its declaration left out, but not in the loop. */
static int named_outside(const struct rg_cnode *n, int array, const struct rg_cnode *loop)
{
    if (!n || n == loop) return 0;
    int c = (n->kind == RG_C_VAR || n->kind == RG_C_INDEX) && n->array == array;
    c += n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || (n->kind == RG_C_DECL && n->array == array && n->n > 0);
    for (int i = 0; i < n->n; i++) c += named_outside(n->kid[i], array, loop);
    return c;
}

static struct rg_cnode *take_declaration(struct rg_ctree *t, struct rg_cnode *n, int array)
{
    struct rg__kids none = {0};
    for (int i = 0; n && !rg__c_is_expr(n) && i < n->n; i++) {
        struct rg_cnode *x = n->kid[i];
        if (x && n->kind == RG_C_BLOCK && x->kind == RG_C_DECL && x->array == array) {
            rg__block_splice(t, n, i, 1, &none);
            return x;
        }
        if (x && (x = take_declaration(t, x, array))) return x;
    }
    return NULL;
}

/* Does code reach what follows by other ways than through what stands in front of it? */
static bool jumps(const struct rg_cnode *n)
{
    return rg__mentions_kind(n, RG_C_GOTO) || rg__mentions_kind(n, RG_C_LABEL) || rg__mentions_kind(n, RG_C_CONTINUE) ||
           rg__mentions_kind(n, RG_C_SWITCH);
}

static void sink_into(struct rg_ctree *t, struct rg_cnode *loop)
{
    struct rg_cnode *body = loop->kid[3];
    for (int a = 0; a < t->n_arrays; a++) {
        const struct rg_carray *c = &t->arrays[a];
        if (c->param >= 0 || c->constant_table || c->mallocd || c->view || c->n_dims != 1 || !c->dims || !c->dims[0] ||
            c->dims[0]->kind != RG_EXPR_INT || !rg__c_mentions_array(body, a) || rg__c_declares_array(body, a) ||
            !rg__c_declares_array(t->root, a) || named_outside(t->root, a, loop))
            continue;
        for (int i = 0; i < 3; i++)
            if (loop->kid[i] && rg__c_mentions_array(loop->kid[i], a)) goto next;
        struct filling f = {t, a, c->dims[0]->value, 0};
        if (filled_first(&f, body)) {
            struct rg__kids own = {0};
            rg__kids_add(&own, take_declaration(t, t->root, a));
            rg__block_splice(t, body, 0, 0, &own);
        }
    next:;
    }
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = n->n - 1; i >= 0; i--) walk(t, n->kid[i]); /* an inner loop's own first; declarations in front go */
    if (n->kind == RG_C_FOR && n->kid[3]->kind == RG_C_BLOCK && !jumps(n->kid[3]) &&
        (rg__leaves_loop(n->kid[3]) || rg__mentions_kind(n->kid[3], RG_C_RETURN)))
        sink_into(t, n);
}

void rg__canon_sunk_arrays(struct rg_ctree *t)
{
    walk(t, t->root);
}
