/* Store-to-load forwarding between iterations: what an iteration of a thread's loop leaves for those right behind it
 * (p[i][j] from p[i][j-1]) can stay in registers. Without that every step of a recurrence waits for a value that was
 * stored a moment ago. The stores are made all the same. */
#include "poly/kernel/kernel.h"

/* How many iterations of the loop before, `read` was written by `write`: 0 in the same one, or never. */
static int64_t distance(const struct poly_loop *l, const struct poly_access *write, const struct poly_access *read)
{
    int64_t steps = 0;
    if (read->n_subs != write->n_subs) return 0;
    for (int d = 0; d < write->n_subs; d++) {
        const struct poly_linear *w = &write->sub[d], *r = &read->sub[d];
        int64_t along = w->ok ? rg__poly_linear_coef(w, l->var) : 0, apart;
        if (!w->ok || !r->ok || !rg__poly_linear_same_terms(w, r) || __builtin_sub_overflow(w->k, r->k, &apart))
            return 0;
        if (!along) {
            if (apart) return 0;
            continue;
        }
        if (__builtin_mul_overflow(along, l->step, &along) || apart % along || (steps && apart / along != steps))
            return 0;
        steps = apart / along;
        if (!steps) return 0;
    }
    return steps;
}

struct looking {
    const struct poly_scop *s;
    const struct poly_knode *loop;
    int array, writes;
    bool bad;
    const struct poly_knode *leaf;
    const struct poly_access *write;
};

static bool directly_in(const struct poly_knode *loop, const struct poly_knode *leaf)
{
    const struct poly_knode *b = loop->kid[0];
    for (int i = 0; b && b->kind == KN_SEQ && i < b->n; i++)
        if (b->kid[i] == leaf) return true;
    return b == leaf;
}

static bool look(void *arg, const struct poly_knode *k)
{
    struct looking *w = arg;
    int id = k->kind == KN_LEAF ? rg__poly_stmt_of(w->s, k->node) : -1;
    for (int i = 0; id >= 0 && i < w->s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &w->s->accesses[w->s->stmts[id].first_access + i];
        if (a->array != w->array || !a->write) continue;
        const struct rg_cnode *e = k->node->kind == RG_C_STMT && k->node->n ? k->node->kid[0] : NULL;
        w->writes++;
        w->bad = w->bad || a->whole || a->member || !a->affine || !directly_in(w->loop, k) || !e ||
                 e->kind != RG_C_ASSIGN || e->kid[0] != a->node;
        w->leaf = k;
        w->write = a;
    }
    return true;
}

/* The reference that reads in every iteration what was written so many before; NULL. */
static const struct poly_access *certain_read(const struct poly_scop *s, const struct poly_knode *loop,
                                              const struct poly_access *write, int64_t before)
{
    const struct poly_knode *b = loop->kid[0];
    for (int i = 0; i < (b->kind == KN_SEQ ? b->n : 1); i++) {
        const struct poly_knode *k = b->kind == KN_SEQ ? b->kid[i] : b;
        int id = k->kind == KN_LEAF && k->node->kind != RG_C_OPAQUE ? rg__poly_stmt_of(s, k->node) : -1;
        for (int u = 0; id >= 0 && u < s->stmts[id].n_accesses; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[id].first_access + u];
            if (a->array == write->array && a->read && !a->write && a->certain && !a->whole &&
                distance(&s->loops[loop->loop], write, a) == before)
                return a;
        }
    }
    return NULL;
}

int rg__poly_forwards(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop,
                      const bool *taken, struct poly_forward *out, int cap)
{
    const struct poly_scop *s = p->scop;
    int n = 0;
    if (s->problem->may_alias || s->loops[loop->loop].node->n > 3) return 0;
    for (int a = 0; a < s->tree->n_arrays && n < cap; a++) {
        const struct rg_carray *c = &s->tree->arrays[a];
        struct looking w = {.s = s, .loop = loop, .array = a};
        if (taken[a] || c->elem == RG_STRUCT || c->constant_table || (c->param < 0 && !p->array_scratch[a]) ||
            (k->atomic && k->atomic[a]))
            continue;
        rg__poly_knode_walk(loop, look, &w);
        if (w.writes != 1 || w.bad) continue;
        struct poly_forward f = {.loop = loop->loop, .leaf = w.leaf->node, .write = w.write};
        while (f.depth < POLY_FORWARD_MOST && (f.first[f.depth] = certain_read(s, loop, w.write, f.depth + 1)))
            f.depth++;
        if (f.depth) out[n++] = f;
    }
    return n;
}

int rg__poly_forwarded(const struct poly_scop *s, const struct poly_forward *f, const struct poly_access *a)
{
    if (a->array != f->write->array || !a->read || a->write || a->whole) return 0;
    int64_t d = distance(&s->loops[f->loop], f->write, a);
    return d >= 1 && d <= f->depth ? (int)d : 0;
}
