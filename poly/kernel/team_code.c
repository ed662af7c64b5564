/* Code of a team, in kernel IR: sequential parts run in every thread alike, loops without carried dependences are dealt
 * out, reductions are combined, barriers stand where data crosses threads. */
#include "ir/ctree_util.h"
#include "poly/kernel/team_kernel.h"
#include <stdlib.h>
#include <string.h>

/* ---- what has been touched since the team last met ---- */

struct touched {
    bool *read, *written;
};

static size_t n_arrays(const struct poly_teamwork *w)
{
    return (size_t)w->p->scop->tree->n_arrays + 1;
}

static bool is_shared(const struct poly_teamwork *w, int array)
{
    const struct rg_carray *c = &w->p->scop->tree->arrays[array];
    return (c->param >= 0 || w->p->array_scratch[array]) && !c->constant_table; /* others are each thread's own */
}

static void touch(const struct poly_teamwork *w, const struct poly_knode *n, struct touched *t)
{
    const struct poly_scop *s = w->p->scop;
    int stmts[256], count = rg__poly_knode_stmts(s, n, stmts, 256);
    for (int i = 0; i < count; i++)
        for (int a = 0; a < s->stmts[stmts[i]].n_accesses; a++) {
            const struct poly_access *x = &s->accesses[s->stmts[stmts[i]].first_access + a];
            if (!is_shared(w, x->array)) continue;
            t->read[x->array] |= x->read;
            t->written[x->array] |= x->write;
        }
}

static struct touched none(const struct poly_teamwork *w)
{
    return (struct touched){rg_xcalloc(n_arrays(w), 1), rg_xcalloc(n_arrays(w), 1)};
}

static void release(struct touched *t)
{
    free(t->read);
    free(t->written);
}

static void meet(struct poly_teamwork *w, struct kir_node *seq)
{
    rg__poly_team_meet(w, seq);
    memset(w->read, 0, n_arrays(w));
    memset(w->written, 0, n_arrays(w));
}

void rg__poly_team_settle(struct poly_teamwork *w, struct kir_node *seq)
{
    for (size_t a = 0; a < n_arrays(w); a++)
        if (w->written[a]) {
            meet(w, seq);
            return;
        }
}

static void add(struct poly_teamwork *w, const struct touched *t)
{
    for (size_t a = 0; a < n_arrays(w); a++) {
        w->read[a] |= t->read[a];
        w->written[a] |= t->written[a];
    }
}

static void enter_with(struct poly_teamwork *w, struct kir_node *seq, const struct touched *t)
{
    bool clash = false;
    for (size_t a = 0; a < n_arrays(w); a++)
        clash = clash || (t->read[a] && w->written[a]) || (t->written[a] && (w->written[a] || w->read[a]));
    if (clash) meet(w, seq);
    add(w, t);
}

static void enter(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    struct touched t = none(w);
    touch(w, n, &t);
    enter_with(w, seq, &t);
    release(&t);
}

struct reading {
    const struct poly_teamwork *w;
    struct touched *t;
};

static bool read_of(void *arg, struct rg_cnode *n)
{
    struct reading *r = arg;
    if (n->kind == RG_C_INDEX && is_shared(r->w, n->array)) r->t->read[n->array] = true;
    return true;
}

/* What a condition, or a loop's bounds, read. */
static void enter_header(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    struct touched t = none(w);
    struct reading r = {w, &t};
    for (int i = 0; i < n->node->n; i++)
        if (n->node->kid[i] && (n->kind == KN_LOOP ? i != 2 : !i)) rg__c_walk(n->node->kid[i], read_of, &r);
    enter_with(w, seq, &t);
    release(&t);
}

/* To come back to: code that may not run leaves the barriers it would have made undone. */
static struct touched keep(const struct poly_teamwork *w)
{
    struct touched t = none(w);
    memcpy(t.read, w->read, n_arrays(w));
    memcpy(t.written, w->written, n_arrays(w));
    return t;
}

static void restore(struct poly_teamwork *w, const struct touched *t)
{
    memcpy(w->read, t->read, n_arrays(w));
    memcpy(w->written, t->written, n_arrays(w));
}

static void join(struct poly_teamwork *w, struct touched *t)
{
    add(w, t);
    release(t);
}

static bool writes_array(const struct poly_teamwork *w, const struct poly_knode *n)
{
    struct touched t = none(w);
    bool any = false;
    touch(w, n, &t);
    for (size_t a = 0; a < n_arrays(w); a++) any = any || t.written[a];
    release(&t);
    return any;
}

/* ---- loops that are shared ---- */

int64_t rg__poly_team_unroll(const struct poly_teamwork *w, int64_t otherwise)
{
    return w->kernel->unrolled && w->v->unroll > 1 ? w->v->unroll : otherwise;
}

bool rg__poly_team_deal(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n,
                        struct kir_node *place, struct kir_node *stride, int64_t unroll)
{
    const struct poly_loop *l = &w->p->scop->loops[n->loop];
    struct kir_node *before = w->t->names->var[l->var], *in,
                    *loop = rg__poly_kir_loop(w->p->scop, w->t->names, l, place, stride, unroll, &in);
    bool ok = loop && rg__poly_add_code(w->t, in, n->kid[0]);
    w->t->names->var[l->var] = before;
    if (ok) rg__kir_add_to(w->k, seq, loop);
    return ok;
}

void rg__poly_team_forget(struct poly_teamwork *w, const struct poly_knode *outer)
{
    const struct poly_knode *b = outer->kid[0];
    for (int i = 0; i < b->n; i++) {
        const struct rg_cnode *n = b->kid[i]->kind == KN_LEAF ? b->kid[i]->node : NULL;
        if (n && n->kind == RG_C_DECL && n->array < 0 && !w->t->names->outer[n->var]) w->t->names->var[n->var] = NULL;
    }
}

struct inside {
    struct poly_teamwork *w;
    const struct poly_knode *n;
    enum poly_share how;
    struct touched *before;
};

static bool deal_inner(void *arg, struct kir_node *seq)
{
    struct inside *x = arg;
    return rg__poly_team_deal(x->w, seq, x->n, x->w->lane, x->w->size, rg__poly_team_unroll(x->w, 0));
}

static bool dealt_loop(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n, enum poly_share how)
{
    struct inside x = {w, rg__poly_inner_shared(w->p->scop, w->kernel, n, how), how, NULL};
    seq = rg__poly_kir_where(w->k, seq, w->here);
    int64_t unroll = rg__poly_team_unroll(w, w->kernel->team == POLY_TEAM_COLUMN ? 4 : 0);
    if (x.n) rg__poly_team_forget(w, n);
    bool ok = x.n ? rg__poly_add_loop_around(w->t, seq, n, deal_inner, &x)
                  : rg__poly_team_deal(w, seq, n, w->lane, w->size, rg__poly_knode_has_loop(n->kid[0]) ? 0 : unroll);
    const char *name = w->p->scop->loops[n->loop].name, *what = how == POLY_SHARE_DEAL
                                                                    ? "dealt out to the threads"
                                                                    : "each thread takes a share, then they combine";
    if (ok) rg__kir_note(seq->kid[seq->n - 1], rg_arena_printf(w->k->arena, "loop %s: %s", name, what));
    return ok;
}

static bool combined_partials(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    struct kir_kernel *k = w->k;
    struct poly_acc acc[POLY_ACCS];
    struct kir_node *part[POLY_ACCS], *total[POLY_ACCS];
    int buffer[POLY_ACCS], count = rg__poly_accumulators(w->p->scop, w->kernel, n->loop, acc, POLY_ACCS),
                           b = rg__kir_index(k, "b", RG_I32);
    if (count < 0 || !rg__poly_acc_buffers(w->t, acc, count, buffer) || !rg__poly_acc_open(w->t, seq, acc, count))
        return false;
    struct kir_node *loop = rg__kir_for_range(k, KIR_SERIAL, b, w->lane, w->parts, w->size);
    for (int i = 0; i < count; i++) part[i] = rg__poly_acc_part(w->t, buffer[i], rg__kir_name(k, b));
    rg__poly_acc_take(w->t, rg__kir_body(loop), acc, count, part);
    rg__kir_add_to(k, seq, loop);
    rg__poly_team_reduce(w, seq, acc, count, total);
    return rg__poly_acc_totals(w->t, seq, acc, count, total, rg__poly_team_lone(w));
}

static bool reduced_loop(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    struct poly_acc acc[POLY_ACCS];
    struct kir_node *total[POLY_ACCS];
    int count = rg__poly_accumulators(w->p->scop, w->kernel, n->loop, acc, POLY_ACCS);
    if (count < 0 || !rg__poly_acc_open(w->t, seq, acc, count) || !dealt_loop(w, seq, n, POLY_SHARE_REDUCE))
        return false;
    rg__poly_team_reduce(w, seq, acc, count, total);
    if (w->kernel->team != POLY_TEAM_WARP) { /* a block's combination holds barriers; shuffles order no memory */
        struct touched t = none(w);
        touch(w, n, &t);
        for (size_t a = 0; a < n_arrays(w); a++) {
            bool mine = false;
            for (int i = 0; i < count; i++) mine = mine || acc[i].array == (int)a;
            w->read[a] = mine && t.read[a];
            w->written[a] = mine && t.written[a];
        }
        release(&t);
    }
    return rg__poly_acc_totals(w->t, seq, acc, count, total, rg__poly_team_lone(w));
}

/* The same for a loop that data bounds. */
static bool opaque_loop(struct poly_teamwork *w, struct kir_node *seq, const struct poly_opaque_loop *o)
{
    struct kir_kernel *k = w->k;
    struct kir_names *names = w->t->names;
    const struct rg_cvar *c = &names->t->vars[o->var];
    enum rg_scalar type = rg_scalar_bytes(c->type) < 4 ? RG_I32 : c->type, by_type = type;
    bool far = rg__poly_opaque_far(w->p->scop->problem, names->t, k->arena, o);
    struct kir_node *before = names->var[o->var], *total[POLY_ACCS], *first, *end, *loop, *body;
    int64_t unroll = rg__poly_team_unroll(w, 0);
    if (!rg__poly_acc_open(w->t, seq, o->acc, o->n_acc) || !(first = rg__kir_of(names, o->first)) ||
        !(end = rg__kir_of(names, o->end)))
        return false;
    if (far) by_type = RG_LLONG;
    first = rg__kir_add(k, rg__kir_cast(k, by_type, first),
                        rg__kir_mul(k, rg__kir_cast(k, by_type, w->lane), rg__kir_int(k, o->step)));
    int at = far ? rg__kir_index(k, rg_arena_printf(k->arena, "%s_at", c->name), by_type)
                 : rg__kir_symbol_of(names, KIR_INDEX, o->var, by_type);
    loop = rg__kir_for_range(k, unroll > 1 ? KIR_UNROLLED : KIR_SERIAL, at, first, rg__kir_cast(k, by_type, end),
                             rg__kir_mul(k, rg__kir_cast(k, by_type, w->size), rg__kir_int(k, o->step)));
    loop->ivalue = unroll > 1 ? unroll : 0;
    rg__kir_note(loop, "row.warp: its ends are data: each thread takes a share, then they combine");
    if (far) {
        int i = rg__kir_symbol_of(names, KIR_VALUE, o->var, type);
        rg__kir_add_to(k, rg__kir_body(loop), rg__kir_let(k, i, rg__kir_cast(k, type, rg__kir_name(k, at))));
        at = i;
    }
    rg__kir_bind(names, o->var, rg__kir_name(k, at));
    body = rg__kir_statement(names, o->body);
    names->var[o->var] = before;
    if (!body) return false;
    rg__kir_add_to(k, rg__kir_body(loop), body);
    rg__kir_add_to(k, seq, loop);
    rg__poly_team_reduce(w, seq, o->acc, o->n_acc, total);
    return rg__poly_acc_totals(w->t, seq, o->acc, o->n_acc, total, rg__poly_team_lone(w));
}

/* ---- everything else ---- */

static bool writes_live_scalar(const struct poly_teamwork *w, const struct poly_knode *n)
{
    const struct poly_scop *s = w->p->scop;
    for (int v = 0; v < s->tree->n_vars; v++)
        if (s->written[n->loop][v] && s->live_out[n->loop][v] && s->tree->vars[v].kind != RG_CVAR_ITER) return true;
    return false;
}

static bool body_of(void *arg, struct kir_node *seq)
{
    struct inside *x = arg;
    return rg__poly_team_code(x->w, seq, x->n->kid[0]);
}

static bool loop(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    if (w->kernel->form == POLY_FINAL && n->loop == w->kernel->reduce_loop) return combined_partials(w, seq, n);
    enum poly_share how = rg__poly_share_of_node(w->p->scop, w->kernel, n);
    if (how == POLY_SHARE_DEAL && !writes_array(w, n))
        how = POLY_SHARE_NONE; /* nothing leaves it: nothing to deal out */
    enter_header(w, seq, n);
    enter(w, seq, n); /* of one in every thread its own accesses among them: an iteration follows another one */
    if (how == POLY_SHARE_DEAL) return dealt_loop(w, seq, n, POLY_SHARE_DEAL);
    if (how == POLY_SHARE_REDUCE) return reduced_loop(w, seq, n);
    if (how == POLY_SHARE_SCAN) return rg__poly_team_scan(w, seq, n);
    if (!rg__poly_shares_inside(w->p->scop, w->kernel, n->kid[0]) && writes_array(w, n) && !writes_live_scalar(w, n))
        return rg__poly_add_code(w->t, rg__poly_kir_where(w->k, seq, rg__poly_team_lone(w)), n);
    struct touched before = keep(w);
    struct inside x = {w, n, how, &before};
    bool ok = rg__poly_add_loop_around(w->t, seq, n, body_of, &x);
    join(w, &before); /* it may not run at all */
    return ok;
}

static bool branches(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    enter_header(w, seq, n);
    struct touched before = keep(w), first;
    struct kir_node *when = rg__kir_of(w->t->names, n->node->kid[0]), *branch = when ? rg__kir_if(w->k, when) : NULL;
    bool ok = branch && rg__poly_team_code(w, rg__kir_body(branch), n->kid[0]);
    first = keep(w);
    restore(w, &before);
    if (ok && n->n > 1 && n->kid[1] && n->kid[1]->n) ok = rg__poly_team_code(w, rg__kir_else(w->k, branch), n->kid[1]);
    if (ok) rg__kir_add_to(w->k, seq, branch);
    join(w, &first);
    join(w, &before);
    return ok;
}

static bool leaf(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    struct poly_opaque_loop opaque;
    enter(w, seq, n);
    if (w->kernel->team != POLY_TEAM_COLUMN && rg__poly_opaque_loop(w->p->scop, n->node, &opaque))
        return opaque_loop(w, seq, &opaque);
    return rg__poly_add_code(w->t, writes_array(w, n) ? rg__poly_kir_where(w->k, seq, rg__poly_team_lone(w)) : seq, n);
}

bool rg__poly_team_code(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    if (!n) return true;
    switch (n->kind) {
    case KN_SEQ:
        for (int i = 0; i < n->n; i++)
            if (!rg__poly_team_code(w, seq, n->kid[i])) return false;
        return true;
    case KN_LEAF:
        return leaf(w, seq, n);
    case KN_IF:
        return branches(w, seq, n);
    case KN_LOOP:
        return loop(w, seq, n);
    }
    return false;
}
