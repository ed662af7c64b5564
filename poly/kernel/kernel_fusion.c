/* Fusion of neighbouring kernels at the level of threads. */
#include "poly/kernel/kernel.h"
#include <string.h>

/* Equal once b's dimension variables are renamed to a's. */
static bool same_bound(const struct poly_scop *s, const struct poly_kernel *a, const struct poly_kernel *b,
                       const struct rg_cnode *x, const struct rg_cnode *y)
{
    if (!x || !y) return x == y;
    if (x->kind == RG_C_CAST && x->n == 1) return same_bound(s, a, b, x->kid[0], y);
    if (y->kind == RG_C_CAST && y->n == 1) return same_bound(s, a, b, x, y->kid[0]);
    if (x->kind != y->kind || x->n != y->n) return false;
    if (x->kind == RG_C_INT) return x->ivalue == y->ivalue;
    if (x->kind == RG_C_VAR) {
        for (int d = 0; d < b->n_dims; d++)
            if (s->loops[b->dims[d]].var == y->var) return s->loops[a->dims[d]].var == x->var;
        return x->var == y->var && x->array == y->array;
    }
    if (x->op != y->op || !x->text != !y->text || (x->text && strcmp(x->text, y->text) != 0)) return false;
    for (int i = 0; i < x->n; i++)
        if (!same_bound(s, a, b, x->kid[i], y->kid[i])) return false;
    return true;
}

static bool same_space(const struct poly_scop *s, const struct poly_kernel *a, const struct poly_kernel *b)
{
    if (a->form != POLY_THREADS || b->form != POLY_THREADS || a->n_dims != b->n_dims || a->n_host != b->n_host)
        return false;
    for (int d = 0; d < a->n_dims; d++) {
        const struct poly_loop *x = &s->loops[a->dims[d]], *y = &s->loops[b->dims[d]];
        if (x->step != y->step || !same_bound(s, a, b, x->node->kid[0], y->node->kid[0]) ||
            !same_bound(s, a, b, x->node->kid[1], y->node->kid[1]))
            return false;
    }
    return true;
}

enum { MAX_STMTS = 128 };

/* Has a step split the loop that both came of? */
static bool split_apart(const struct poly_scop *s, int stmt_a, int stmt_b)
{
    for (int a = s->stmts[stmt_a].loop; a >= 0; a = s->loops[a].parent)
        for (int b = s->stmts[stmt_b].loop; b >= 0; b = s->loops[b].parent)
            if (rg__poly_pieces_of_one(s->loops[a].node, s->loops[b].node)) return true;
    return false;
}

/* Every dependence between the two stays inside one thread, and there is one worth keeping there. */
static bool may_fuse(struct poly_scop *s, const struct poly_kernel *a, const struct poly_kernel *b)
{
    int sa[MAX_STMTS], sb[MAX_STMTS];
    int na = rg__poly_knode_stmts(s, a->body, sa, MAX_STMTS), nb = rg__poly_knode_stmts(s, b->body, sb, MAX_STMTS);
    bool share = false;
    if (na == MAX_STMTS || nb == MAX_STMTS || a->n_alias + b->n_alias + b->n_dims > 24) return false;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) {
            int la[3], lb[3];
            if (split_apart(s, sa[i], sb[j])) return false;
            /* a may itself be fused: its statements know the dimensions under their own loops */
            for (int d = 0; d < a->n_dims; d++) {
                la[d] = a->dims[d];
                lb[d] = b->dims[d];
                for (int x = 0; x < a->n_alias; x++)
                    if (a->alias[x].dim == d && rg__poly_loop_inside(s, s->stmts[sa[i]].loop, a->alias[x].loop))
                        la[d] = a->alias[x].loop;
                for (int x = 0; x < b->n_alias; x++)
                    if (b->alias[x].dim == d && rg__poly_loop_inside(s, s->stmts[sb[j]].loop, b->alias[x].loop))
                        lb[d] = b->alias[x].loop;
            }
            if (rg__poly_crosses(s, sa[i], sb[j], la, lb, a->n_dims, a->host, a->n_host, &share)) return false;
        }
    return share;
}

static void fuse_into(struct poly_program *p, struct poly_kernel *a, const struct poly_kernel *b)
{
    struct poly_knode *seq = rg__poly_knode_new(p, KN_SEQ, NULL, a->body->n + b->body->n);
    memcpy(seq->kid, a->body->kid, sizeof *seq->kid * (size_t)a->body->n);
    memcpy(seq->kid + a->body->n, b->body->kid, sizeof *seq->kid * (size_t)b->body->n);
    a->body = seq;
    for (int x = 0; x < p->scop->tree->n_arrays; x++) a->atomic[x] = a->atomic[x] || b->atomic[x];
    for (int d = 0; d < b->n_dims; d++)
        if (b->dims[d] != a->dims[d]) {
            a->alias[a->n_alias].dim = d;
            a->alias[a->n_alias++].loop = b->dims[d];
        }
    for (int x = 0; x < b->n_alias; x++) a->alias[a->n_alias++] = b->alias[x];
}

static void remove_kernel(struct poly_program *p, struct poly_hnode *h, int k)
{
    if (!h) return;
    if (h->kind == HN_KERNEL && h->kernel > k) h->kernel--;
    for (int i = 0; i < h->n; i++) remove_kernel(p, h->kid[i], k);
}

static void fuse_seq(struct poly_program *p, struct poly_hnode *h)
{
    for (int i = 0; i + 1 < h->n; i++) {
        struct poly_hnode *a = h->kid[i], *b = h->kid[i + 1];
        if (a->kind != HN_KERNEL || b->kind != HN_KERNEL) continue;
        struct poly_kernel *x = &p->kernels[a->kernel], *y = &p->kernels[b->kernel];
        if (!same_space(p->scop, x, y) || !may_fuse(p->scop, x, y)) continue;
        fuse_into(p, x, y);
        int gone = b->kernel;
        memmove(y, y + 1, sizeof *y * (size_t)(p->n_kernels - gone - 1));
        p->n_kernels--;
        memmove(&h->kid[i + 1], &h->kid[i + 2], sizeof *h->kid * (size_t)(h->n - i - 2));
        h->n--;
        remove_kernel(p, p->root, gone);
        i--;
    }
    for (int i = 0; i < h->n; i++) fuse_seq(p, h->kid[i]);
}

void rg__poly_fuse(struct poly_program *p)
{
    fuse_seq(p, p->root);
}
