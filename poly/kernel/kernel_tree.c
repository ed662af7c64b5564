/* Kernel bodies: building, walking, what they read and write. */
#include "poly/kernel/kernel.h"
#include <stdlib.h>
#include <string.h>

struct poly_knode *rg__poly_knode_new(struct poly_program *p, enum poly_knode_kind kind, const struct rg_cnode *node,
                                      int n)
{
    struct poly_knode *k = rg_arena_alloc(&p->arena, sizeof *k);
    k->kind = kind;
    k->node = node;
    k->loop = kind == KN_LOOP ? rg__poly_loop_of(p->scop, node) : -1;
    k->n = n;
    k->kid = rg_arena_alloc(&p->arena, sizeof *k->kid * (size_t)(n ? n : 1));
    return k;
}

static int count_flat(const struct rg_cnode *n)
{
    if (!n) return 0;
    if (n->kind != RG_C_BLOCK) return 1;
    int c = 0;
    for (int i = 0; i < n->n; i++) c += count_flat(n->kid[i]);
    return c;
}

static void fill_flat(struct poly_program *p, const struct rg_cnode *n, struct poly_knode *seq)
{
    if (!n) return;
    if (n->kind == RG_C_BLOCK)
        for (int i = 0; i < n->n; i++) fill_flat(p, n->kid[i], seq);
    else
        seq->kid[seq->n++] = rg__poly_knode_of(p, n);
}

struct poly_knode *rg__poly_knode_body(struct poly_program *p, const struct rg_cnode *node)
{
    struct poly_knode *k = rg__poly_knode_of(p, node);
    return k->kind == KN_SEQ ? k : rg__poly_knode_seq(p, &k, 1);
}

struct poly_knode *rg__poly_knode_of(struct poly_program *p, const struct rg_cnode *node)
{
    struct poly_knode *k;
    if (!node) return rg__poly_knode_new(p, KN_SEQ, NULL, 0);
    switch (node->kind) {
    case RG_C_BLOCK:
        k = rg__poly_knode_new(p, KN_SEQ, NULL, count_flat(node));
        k->n = 0;
        fill_flat(p, node, k);
        return k;
    case RG_C_LOOP:
        k = rg__poly_knode_new(p, KN_LOOP, node, 1);
        k->kid[0] = rg__poly_knode_body(p, node->kid[2]);
        return k;
    case RG_C_IF:
        k = rg__poly_knode_new(p, KN_IF, node, 2);
        k->kid[0] = rg__poly_knode_body(p, node->n > 1 ? node->kid[1] : NULL);
        k->kid[1] = node->n > 2 && node->kid[2] ? rg__poly_knode_body(p, node->kid[2]) : NULL;
        return k;
    default:
        return rg__poly_knode_new(p, KN_LEAF, node, 0);
    }
}

struct poly_knode *rg__poly_knode_seq(struct poly_program *p, struct poly_knode *const *items, int n)
{
    struct poly_knode *k = rg__poly_knode_new(p, KN_SEQ, NULL, n);
    for (int i = 0; i < n; i++) k->kid[i] = items[i];
    return k;
}

void rg__poly_knode_walk(const struct poly_knode *k, bool (*fn)(void *arg, const struct poly_knode *k), void *arg)
{
    if (!k || !fn(arg, k)) return;
    for (int i = 0; i < k->n; i++) rg__poly_knode_walk(k->kid[i], fn, arg);
}

/* A knode LOOP may have lost loops from inside its tree node, so effects are composed here. Bounds are affine: no
 * assigned scalar stands there. A condition may be a local scalar. */
void rg__poly_knode_effect(const struct poly_scop *s, const struct poly_knode *k, struct poly_effect *e)
{
    if (!k) return;
    if (k->kind == KN_LEAF) {
        rg__poly_effect_add(s, e, k->node);
        return;
    }
    if (k->kind == KN_SEQ) {
        for (int i = 0; i < k->n; i++) rg__poly_knode_effect(s, k->kid[i], e);
        return;
    }
    struct poly_effect a = rg__poly_effect_new(s), b = rg__poly_effect_new(s);
    if (k->kind == KN_IF) rg__poly_effect_add(s, e, k->node->kid[0]);
    if (k->kind == KN_LOOP && k->node->n > 3) rg__poly_effect_add(s, e, k->node->kid[3]);
    rg__poly_knode_effect(s, k->kid[0], &a);
    if (k->kind == KN_IF) rg__poly_knode_effect(s, k->kid[1], &b);
    rg__poly_effect_either(s, &a, &b); /* a loop may not run at all */
    rg__poly_effect_then(s, e, &a);
    rg__poly_effect_free(&a);
    rg__poly_effect_free(&b);
}

struct use {
    const struct poly_scop *s;
    int array;
    bool used, written;
    int *out, n, cap;
};

static bool use_array(void *arg, const struct poly_knode *k)
{
    struct use *u = arg;
    if (k->kind != KN_LEAF) return true;
    int id = rg__poly_stmt_of(u->s, k->node);
    for (int a = 0; id >= 0 && a < u->s->stmts[id].n_accesses; a++) {
        const struct poly_access *x = &u->s->accesses[u->s->stmts[id].first_access + a];
        if (x->array == u->array) {
            u->used = true;
            u->written = u->written || x->write;
        }
    }
    return true;
}

bool rg__poly_knode_uses_array(const struct poly_scop *s, const struct poly_knode *k, int array, bool *written)
{
    struct use u = {.s = s, .array = array};
    rg__poly_knode_walk(k, use_array, &u);
    if (written) *written = u.written;
    return u.used;
}

static bool collect_stmt(void *arg, const struct poly_knode *k)
{
    struct use *u = arg;
    if (k->kind == KN_LEAF && u->n < u->cap) {
        int id = rg__poly_stmt_of(u->s, k->node);
        if (id >= 0) u->out[u->n++] = id;
    }
    return true;
}

int rg__poly_knode_stmts(const struct poly_scop *s, const struct poly_knode *k, int *out, int cap)
{
    struct use u = {.s = s, .out = out, .cap = cap};
    rg__poly_knode_walk(k, collect_stmt, &u);
    return u.n;
}

static bool find_loop(void *arg, const struct poly_knode *k)
{
    if (k->kind == KN_LOOP) *(bool *)arg = true;
    return true;
}

bool rg__poly_knode_has_loop(const struct poly_knode *k)
{
    bool found = false;
    rg__poly_knode_walk(k, find_loop, &found);
    return found;
}

bool rg__poly_calls_helper(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM || (n->kind == RG_C_CALL && n->callee >= 0)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__poly_calls_helper(n->kid[i])) return true;
    return false;
}
