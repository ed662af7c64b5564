/* Fusion of neighbouring launches inside a loop of the plan into one of one block, where each is too short to be worth
 * a launch: a search for a pivot, the exchange of two rows, single statements. Barriers take the launches' place. */
#include "poly/kernel/mechanisms.h"
#include <string.h>

enum {
    MOST_POINTS = 1024,  /* of a grid: a few a thread take as long as a launch */
    MOST_REDUCED = 4096, /* of a reduction, which takes two launches over the grid */
    MOST_WEIGHT = 64,    /* plain operations of a point */
    MOST_ITEMS = 128
};

struct run {
    struct poly_program *p;
    struct poly_kernel block;
    int n_pieces;
    bool shares; /* a reduction of its own: else a grid, or one thread, is as good */
    int n;
    struct poly_knode *item[MOST_ITEMS];
    bool *written; /* [var] by what is in it */
};

/* ---- pieces ---- */

static bool is_small(const struct poly_program *p, const struct poly_kernel *k)
{
    double n;
    int stmts[64], count = rg__poly_knode_stmts(p->scop, k->body, stmts, 64);
    int64_t weight = 0;
    if (k->n_dims != 1 || k->n_alias || k->partner >= 0 || rg__poly_knode_has_loop(k->body) || count == 64 ||
        !rg__poly_timed_points(p, k, &n) || n > MOST_POINTS)
        return false;
    for (int i = 0; i < count; i++) weight += rg__poly_weight(p->scop, p->scop->stmts[stmts[i]].node);
    for (int a = 0; a < p->scop->tree->n_arrays; a++)
        if (k->atomic[a]) return false;
    return weight <= MOST_WEIGHT;
}

/* The loop of a reduction over the grid that a block could have alone. */
static bool is_short(const struct poly_program *p, const struct poly_kernel *k)
{
    struct poly_scop *s = p->scop;
    if (k->form != POLY_FINAL || k->n_dims) return false;
    for (int i = 0; i < k->body->n; i++) {
        const struct poly_knode *l = k->body->kid[i];
        if (l->kind == KN_LOOP && l->loop == k->reduce_loop)
            return !rg__poly_knode_has_loop(l->kid[0]) && rg__poly_last_trips(s, l->loop) <= MOST_REDUCED &&
                   rg__poly_trips(s, l->loop) <= MOST_REDUCED && rg__poly_shared_loop(s, k, l->loop);
    }
    return false;
}

static bool may_join(const struct poly_program *p, const struct poly_kernel *k)
{
    if (k->region || k->resident || k->last_resort || k->otherwise >= 0 || k->n_scans || rg__poly_has_opaque(k) ||
        k->team != POLY_TEAM_BLOCK)
        return false;
    if (k->form == POLY_THREADS) return is_small(p, k);
    if (k->form == POLY_PARTIAL) return is_short(p, &p->kernels[k->partner]);
    if (k->form == POLY_FINAL) return is_short(p, k);
    if (k->form == POLY_SINGLE) return !rg__poly_knode_has_loop(k->body);
    return k->form == POLY_BLOCK && !k->n_dims;
}

/* ---- their code ---- */

static struct rg_cnode *condition(struct poly_program *p, struct poly_guard g, const struct rg_cnode *at)
{
    struct rg_cnode *v = rg_arena_alloc(&p->arena, sizeof *v), *no = v;
    *v = (struct rg_cnode){.kind = RG_C_VAR,
                           .type = p->scop->tree->vars[g.var].type,
                           .struct_index = -1,
                           .var = g.var,
                           .array = -1,
                           .callee = -1,
                           .line = at->line};
    if (g.negated) {
        no = rg_arena_alloc(&p->arena, sizeof *no);
        *no = *v;
        no->kind = RG_C_UNARY;
        no->op = RG_COP_NOT;
        no->type = RG_I32;
        no->var = -1;
        no->n = 1;
        no->kid = rg_arena_alloc(&p->arena, sizeof *no->kid);
        no->kid[0] = v;
    }
    struct rg_cnode *branch = rg_arena_alloc(&p->arena, sizeof *branch);
    *branch = *v;
    branch->kind = RG_C_IF;
    branch->var = -1;
    branch->n = 1;
    branch->kid = rg_arena_alloc(&p->arena, sizeof *branch->kid);
    branch->kid[0] = no;
    return branch;
}

static bool holds(const struct run *r, struct poly_guard g)
{
    for (int i = 0; i < r->block.n_guards; i++)
        if (r->block.guard[i].var == g.var && r->block.guard[i].negated == g.negated) return !r->written[g.var];
    return false;
}

/* What the block asks before anything else must hold for each of its pieces. */
static bool asks_as_much(const struct run *r, const struct poly_kernel *k)
{
    for (int i = 0; i < r->block.n_guards; i++) {
        bool found = false;
        for (int g = 0; g < k->n_guards; g++)
            found =
                found || (k->guard[g].var == r->block.guard[i].var && k->guard[g].negated == r->block.guard[i].negated);
        if (!found) return false;
    }
    return true;
}

static bool is_recomputed(const struct run *r, const struct poly_knode *k)
{
    for (int v = 0; v < r->p->scop->tree->n_vars; v++)
        if (r->p->recompute[v] && r->p->recompute[v] == k->node) return true;
    return false;
}

static bool has_item(const struct run *r, const struct poly_knode *k)
{
    for (int i = 0; i < r->n; i++)
        if (r->item[i]->node == k->node && k->node) return true;
    return false;
}

static const struct rg_cnode *first_node(const struct poly_knode *k)
{
    for (int i = 0; k && !k->node; i++) k = i < k->n ? k->kid[i] : NULL;
    return k ? k->node : NULL;
}

/* The kernel's code behind the run's, under its own conditions. False: there is no room. */
static bool append(struct run *r, const struct poly_kernel *k)
{
    struct poly_program *p = r->p;
    struct poly_effect e = rg__poly_effect_new(p->scop);
    struct poly_knode *own[MOST_ITEMS], *body;
    int n = 0;
    rg__poly_kernel_effect(p, k, &e);
    for (int i = 0; i < k->body->n && r->n < MOST_ITEMS && n < MOST_ITEMS; i++) {
        struct poly_knode *x = k->body->kid[i];
        if (!is_recomputed(r, x))
            own[n++] = x;
        else if (!has_item(r, x))
            r->item[r->n++] = x;
    }
    body = rg__poly_knode_seq(p, own, n);
    const struct rg_cnode *at = first_node(body);
    if (k->form == POLY_THREADS) {
        struct poly_knode *l = rg__poly_knode_new(p, KN_LOOP, p->scop->loops[k->dims[0]].node, 1);
        l->kid[0] = body;
        body = rg__poly_knode_seq(p, &l, 1);
    }
    for (int i = k->n_guards - 1; i >= 0 && at; i--) {
        if (holds(r, k->guard[i])) continue;
        struct poly_knode *c = rg__poly_knode_new(p, KN_IF, condition(p, k->guard[i], at), 2);
        c->kid[0] = body;
        c->kid[1] = NULL;
        body = rg__poly_knode_seq(p, &c, 1);
    }
    bool room = at && r->n + body->n <= MOST_ITEMS;
    for (int i = 0; i < body->n && room; i++) r->item[r->n++] = body->kid[i];
    for (int v = 0; v < p->scop->tree->n_vars; v++) r->written[v] = r->written[v] || e.written[v];
    rg__poly_effect_free(&e);
    r->shares = r->shares || k->form == POLY_FINAL || k->form == POLY_BLOCK;
    r->n_pieces++;
    return room;
}

static void begin(struct run *r, struct poly_program *p, const struct poly_kernel *k)
{
    memset(r, 0, sizeof *r);
    r->p = p;
    r->written = rg_arena_alloc(&p->arena, (size_t)p->scop->tree->n_vars + 1);
    memset(r->written, 0, (size_t)p->scop->tree->n_vars + 1);
    r->block = (struct poly_kernel){.form = POLY_BLOCK,
                                    .reduce_loop = -1,
                                    .partner = -1,
                                    .otherwise = -1,
                                    .n_host = k->n_host,
                                    .n_guards = k->n_guards};
    memcpy(r->block.host, k->host, sizeof k->host);
    memcpy(r->block.guard, k->guard, sizeof k->guard);
    r->block.atomic = rg_arena_alloc(&p->arena, (size_t)p->scop->tree->n_arrays + 1);
    memset(r->block.atomic, 0, (size_t)p->scop->tree->n_arrays + 1);
}

static bool uses_atomics(const struct poly_program *p, const struct poly_kernel *k)
{
    for (int a = 0; a < p->scop->tree->n_arrays; a++)
        if (k->atomic[a] && rg__poly_knode_uses_array(p->scop, k->body, a, NULL)) return true;
    return false;
}

/* ---- runs of launches ---- */

struct list {
    int n;
    struct poly_hnode *at[POLY_MAX_KERNELS];
};

static bool flatten(struct poly_hnode *h, struct list *l)
{
    if (h->kind == HN_SEQ) {
        for (int i = 0; i < h->n; i++)
            if (!flatten(h->kid[i], l)) return false;
        return true;
    }
    if (l->n == POLY_MAX_KERNELS) return false;
    l->at[l->n++] = h;
    return true;
}

/* The longest run from `from` on that one block can have; how many launches, 0: none that pays. */
static int longest(struct poly_program *p, const struct list *l, int from, struct run *r)
{
    struct rg_reason ignored = {0};
    int taken = 0;
    for (int i = from; i < l->n && l->at[i]->kind == HN_KERNEL; i++) {
        const struct poly_kernel *k = &p->kernels[l->at[i]->kernel];
        if (!may_join(p, k) || uses_atomics(p, k)) break;
        if (i == from) begin(r, p, k);
        if (k->form == POLY_PARTIAL) continue; /* its loop stands in the second stage's code */
        if (!asks_as_much(r, k) || (k->form == POLY_FINAL && (i == from || l->at[i - 1]->kernel != k->partner))) break;
        struct run before = *r;
        bool fits = append(r, k);
        r->block.body = rg__poly_knode_seq(p, r->item, r->n);
        if (!fits || !rg__poly_block_ok(p, &r->block, &ignored)) {
            *r = before;
            break;
        }
        taken = i - from + 1;
    }
    if (taken) r->block.body = rg__poly_knode_seq(p, r->item, r->n);
    return taken > 1 && r->shares ? taken : 0;
}

static bool fuse_in(struct poly_program *p, struct poly_hnode *h)
{
    struct list l = {0};
    bool any = false;
    for (int i = 0; i < h->n; i++)
        if (!flatten(h->kid[i], &l)) return false;
    for (int i = 0; i < l.n; i++) {
        struct run r;
        int n = longest(p, &l, i, &r);
        if (!n) continue;
        r.block.fused = true;
        p->kernels[l.at[i]->kernel] = r.block;
        memmove(&l.at[i + 1], &l.at[i + n], sizeof l.at[0] * (size_t)(l.n - i - n));
        l.n -= n - 1;
        any = true;
    }
    if (any) {
        h->kid = rg_arena_alloc(&p->arena, sizeof *h->kid * (size_t)(l.n + 1));
        memcpy(h->kid, l.at, sizeof *h->kid * (size_t)l.n);
        h->n = h->cap = l.n;
    }
    return any;
}

static bool fuse(struct poly_program *p, struct poly_hnode *h)
{
    bool any = false;
    if (h->region) return false;
    for (int i = 0; i < h->n; i++) any = fuse(p, h->kid[i]) || any;
    return (h->kind == HN_FOR && !h->strip && fuse_in(p, h)) || any;
}

/* Has what was fused a form? */
static bool all_built(const struct poly_program *p, const struct poly_values *v)
{
    struct rg_reason ignored = {0};
    bool ok = true;
    for (int i = 0; i < p->n_kernels && ok; i++) {
        struct rg_arena arena = RG_ARENA_INIT;
        ok = !p->kernels[i].fused || rg__poly_kir_build(p, &p->kernels[i], v, &arena, &ignored);
        rg_arena_release(&arena);
    }
    return ok;
}

bool rg__poly_fuse_in_block(struct poly_program *p, const struct poly_values *trial)
{
    if (!fuse(p, p->root)) return true;
    rg__poly_sweep_kernels(p);
    rg__poly_assign_homes(p);
    return all_built(p, trial);
}
