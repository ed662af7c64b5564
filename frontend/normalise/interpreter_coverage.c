/* What of the code an interpreter has run: which conditions have come out false and true. */
#include "frontend/normalise/interpreter_parts.h"
#include <stdlib.h>
#include <string.h>

static size_t branch_slot(const struct rg__interpreter *r, const struct rg_cnode *n)
{
    size_t mask = (size_t)r->cap_branches - 1, k = ((uintptr_t)n >> 4) * 0x9E3779B97F4A7C15u >> 20 & mask;
    while (r->branches[k].node && r->branches[k].node != n) k = (k + 1) & mask;
    return k;
}

void rg__interpreter_saw(struct rg__interpreter *r, const struct rg_cnode *n, bool yes)
{
    if (2 * (r->n_branches + 1) > r->cap_branches) {
        struct rg__branch *old = r->branches;
        int had = r->cap_branches;
        r->cap_branches = had ? 2 * had : 64;
        r->branches = rg_xcalloc((size_t)r->cap_branches, sizeof *r->branches);
        for (int i = 0; i < had; i++)
            if (old[i].node) r->branches[branch_slot(r, old[i].node)] = old[i];
        free(old);
    }
    struct rg__branch *b = &r->branches[branch_slot(r, n)];
    r->n_branches += !b->node;
    b->node = n;
    b->seen |= yes ? 2 : 1;
}

struct covering {
    const struct rg__interpreter *r;
    int n;
    const char *helper[32];
};

static unsigned seen(const struct rg__interpreter *r, const struct rg_cnode *n)
{
    return r->cap_branches ? r->branches[branch_slot(r, n)].seen : 0;
}

static bool jumps(const struct rg_cnode *n)
{
    return rg__mentions_kind(n, RG_C_BREAK) || rg__mentions_kind(n, RG_C_CONTINUE) || rg__mentions_kind(n, RG_C_RETURN);
}

static bool empty(const struct rg_cnode *n)
{
    return !n || (n->kind == RG_C_BLOCK && !n->n);
}

/* The condition that decides what of n is run, and what it must have come out as for all of it to be. */
static const struct rg_cnode *condition_of(const struct rg_cnode *n, unsigned *as)
{
    switch (n->kind) {
    case RG_C_IF:
        *as = (empty(n->kid[1]) ? 0 : 2) | (n->n > 2 && !empty(n->kid[2]) ? 1 : 0) | (jumps(n->kid[1]) ? 3 : 0);
        return n->kid[0];
    case RG_C_WHILE:
        *as = 2;
        return n->kid[0];
    case RG_C_FOR:
        *as = 2;
        return n->kid[1];
    case RG_C_COND:
        *as = 3;
        return n->kid[0];
    case RG_C_BINARY:
        *as = n->op == RG_COP_AND ? 2 : 1;
        return rg_c_lazy(n->op) ? n->kid[0] : NULL;
    default:
        return NULL;
    }
}

static bool covered(struct covering *c, const struct rg_cnode *n)
{
    if (!n) return true;
    unsigned as = 0;
    const struct rg_cnode *condition = condition_of(n, &as);
    bool ok = !condition || condition->kind == RG_C_INT || (seen(c->r, condition) & as) == as;
    for (int i = 0; i < n->n && ok; i++) ok = covered(c, n->kid[i]);
    if (!ok || n->kind != RG_C_CALL || !rg__helper_tree(c->r->b, n->text)) return ok;
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->helper[i], n->text)) return true;
    const struct rg__helper_tree *h = rg__helper_tree(c->r->b, n->text);
    if (!h || c->n == (int)(sizeof c->helper / sizeof *c->helper)) return false;
    c->helper[c->n++] = n->text;
    return covered(c, h->body);
}

bool rg__interpreter_covered(const struct rg__interpreter *r, const struct rg_cnode *n)
{
    struct covering c = {.r = r};
    return covered(&c, n);
}
