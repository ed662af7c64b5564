/* How a team of threads shares a loop: its iterations dealt out, reduced or scanned; and whether a block can run a
 * kernel. */
#include "poly/kernel/kernel.h"

static enum poly_share share_of(struct poly_scop *s, const struct poly_kernel *kn, int loop)
{
    struct poly_acc acc[16];
    if (!rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found) return POLY_SHARE_DEAL;
    if (!rg__poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS).found && rg__poly_accumulators(s, kn, loop, acc, 16) > 0)
        return POLY_SHARE_REDUCE;
    return POLY_SHARE_NONE;
}

enum poly_share rg__poly_share_of_node(struct poly_scop *s, const struct poly_kernel *kn, const struct poly_knode *k)
{
    return k->scan ? POLY_SHARE_SCAN : k->dealt ? POLY_SHARE_DEAL : share_of(s, kn, k->loop);
}

bool rg__poly_shares_inside(struct poly_scop *s, const struct poly_kernel *kn, const struct poly_knode *k)
{
    if (!k) return false;
    struct poly_opaque_loop o;
    if (k->kind == KN_LEAF) return kn->team != POLY_TEAM_COLUMN && rg__poly_opaque_loop(s, k->node, &o);
    if (k->kind == KN_LOOP && rg__poly_share_of_node(s, kn, k) != POLY_SHARE_NONE) return true;
    for (int i = 0; i < k->n; i++)
        if (rg__poly_shares_inside(s, kn, k->kid[i])) return true;
    return false;
}

/* Does the inner loop accumulate only what the outer one has accumulators for? Elements that differ between the outer
 * loop's iterations have none. */
static bool accumulated_outside(struct poly_scop *s, const struct poly_kernel *kn, int inner, int outer)
{
    struct poly_acc in[16], out[16];
    int n = rg__poly_accumulators(s, kn, inner, in, 16), m = rg__poly_accumulators(s, kn, outer, out, 16);
    for (int i = 0; i < n; i++) {
        bool found = false;
        for (int k = 0; k < m; k++) found = found || (in[i].array == out[k].array && in[i].var == out[k].var);
        if (!found) return false;
    }
    return n >= 0;
}

/* The only thing in the loop's body, when that is a loop that may be shared too. */
const struct poly_knode *rg__poly_inner_shared(struct poly_scop *s, const struct poly_kernel *kn,
                                               const struct poly_knode *k, enum poly_share how)
{
    const struct poly_knode *b = k->kid[0], *only = NULL;
    for (int i = 0; i < b->n; i++) {
        if (b->kid[i]->kind == KN_LEAF && b->kid[i]->node->kind == RG_C_DECL && b->kid[i]->node->array < 0 &&
            !(b->kid[i]->node->n && b->kid[i]->node->kid[0]))
            continue;
        if (only) return NULL;
        only = b->kid[i];
    }
    if (!only || only->kind != KN_LOOP) return NULL;
    const struct poly_loop *l = &s->loops[only->loop];
    enum poly_share inner = rg__poly_share_of_node(s, kn, only);
    if (inner == POLY_SHARE_NONE || inner == POLY_SHARE_SCAN || (how == POLY_SHARE_DEAL && inner != POLY_SHARE_DEAL) ||
        (l->constant && l->trip < 32))
        return NULL;
    if (inner == POLY_SHARE_REDUCE && !accumulated_outside(s, kn, only->loop, k->loop)) return NULL;
    return only;
}

bool rg__poly_shared_loop(struct poly_scop *s, const struct poly_kernel *k, int loop)
{
    return share_of(s, k, loop) != POLY_SHARE_NONE;
}

/* ---- legality ---- */

struct check {
    const struct poly_program *p;
    const struct poly_kernel *kernel;
    struct rg_reason *why;
    bool ok;
};

static void check_leaf(struct check *c, const struct poly_knode *k)
{
    struct poly_scop *s = c->p->scop;
    int id = rg__poly_stmt_of(s, k->node);
    bool array = false, scalar = false;
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses; i++)
        array = array || s->accesses[s->stmts[id].first_access + i].write;
    struct poly_effect e = rg__poly_effect_new(s);
    rg__poly_knode_effect(s, k, &e);
    for (int v = 0; v < s->tree->n_vars; v++) scalar = scalar || e.written[v];
    rg__poly_effect_free(&e);
    if (array && scalar && k->node->kind != RG_C_DECL) {
        rg_refuse(c->why, RG_REFUSE_SHAPE, k->node->line,
                  "line %d writes an array and a scalar at once: a block can't share that", k->node->line);
        c->ok = false;
    }
}

/* Where arrays live is asked of the kernel as it will be: the program's homes may still be those of what it is made of.
 */
static bool writes_local_array(const struct poly_scop *s, const struct poly_kernel *kernel, const struct poly_knode *k)
{
    for (int a = 0; a < s->tree->n_arrays; a++) {
        const struct rg_carray *c = &s->tree->arrays[a];
        bool w = false;
        if (c->param >= 0 || c->constant_table || !rg__poly_own_array(s, kernel, a) || s->array_hidden[a]) continue;
        if (rg__poly_knode_uses_array(s, k, a, &w) && w &&
            !(s->array_decl_loop[a] >= 0 && rg__poly_loop_inside(s, s->array_decl_loop[a], k->loop)))
            return true;
    }
    return false;
}

/* A part of a buffer belongs to the block; declared in a shared loop it would be each thread's. */
static bool declares_part(void *arg, const struct poly_knode *k)
{
    struct check *c = arg;
    if (k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array >= 0 &&
        !rg__poly_fits_a_thread(c->p->scop, k->node->array)) {
        rg_refuse(c->why, RG_REFUSE_SHAPE, k->node->line,
                  "%s:%d: every thread of a block would need its own part of a buffer for %s",
                  c->p->scop->problem->file, k->node->line, c->p->scop->tree->arrays[k->node->array].name);
        c->ok = false;
    }
    return true;
}

static void check_code(struct check *c, const struct poly_knode *k)
{
    if (!k || !c->ok) return;
    if (k->kind == KN_LEAF) {
        check_leaf(c, k);
        return;
    }
    if (k->kind == KN_LOOP && rg__poly_share_of_node(c->p->scop, c->kernel, k) != POLY_SHARE_NONE) {
        rg__poly_knode_walk(k->kid[0], declares_part, c);
        if (!c->ok) return;
        if (writes_local_array(c->p->scop, c->kernel, k)) {
            rg_refuse(c->why, RG_REFUSE_SHAPE, c->p->scop->loops[k->loop].node->line,
                      "loop %s fills a local array that each thread has its own copy of",
                      c->p->scop->loops[k->loop].name);
            c->ok = false;
        }
        return;
    }
    for (int i = 0; i < k->n; i++) check_code(c, k->kid[i]);
}

bool rg__poly_block_ok(const struct poly_program *p, const struct poly_kernel *k, struct rg_reason *why)
{
    struct check c = {p, k, why, true};
    check_code(&c, k->body);
    return c.ok;
}
