/* Kernels whose blocks work together: sequential parts run in every thread alike, loops without carried dependences
 * are dealt out, reductions are combined, barriers stand where data crosses threads. */
#include "poly/cuda/print.h"
#include "poly/kernel/recurrence.h"
#include <stdlib.h>
#include <string.h>

static struct poly_scop *scop(const struct poly_print *pr)
{
    return pr->p->scop;
}

/* ---- the block's code ---- */

struct state {
    struct poly_print *pr;
    bool *read, *written; /* arrays touched since the last barrier */
};

static void touch(struct state *st, const struct poly_knode *k, bool *read, bool *written)
{
    const struct poly_scop *s = st->pr->s;
    int stmts[256], n = rg__poly_knode_stmts(s, k, stmts, 256);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < s->stmts[stmts[i]].n_accesses; a++) {
            const struct poly_access *x = &s->accesses[s->stmts[stmts[i]].first_access + a];
            const struct rg_carray *c = &st->pr->t->arrays[x->array];
            if (c->param < 0 && !st->pr->p->array_scratch[x->array]) continue; /* each thread's own */
            read[x->array] |= x->read;
            written[x->array] |= x->write;
        }
}

static void barrier(struct state *st)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    rg__poly_line(st->pr, "%s", rg__poly_meet(st->pr));
    memset(st->read, 0, n);
    memset(st->written, 0, n);
}

static void enter(struct state *st, const struct poly_knode *k)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    bool *r = rg_xcalloc(n, 1), *w = rg_xcalloc(n, 1), clash = false;
    touch(st, k, r, w);
    for (size_t a = 0; a < n; a++)
        clash = clash || (r[a] && st->written[a]) || (w[a] && (st->written[a] || st->read[a]));
    if (clash) barrier(st);
    for (size_t a = 0; a < n; a++) {
        st->read[a] |= r[a];
        st->written[a] |= w[a];
    }
    free(r);
    free(w);
}

/* What was touched, to come back to: code that may not run leaves the barriers it would have made undone. */
struct touched {
    bool *read, *written;
};

static struct touched keep(const struct state *st)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    struct touched t = {rg_xmalloc(n), rg_xmalloc(n)};
    memcpy(t.read, st->read, n);
    memcpy(t.written, st->written, n);
    return t;
}

static void restore(struct state *st, const struct touched *t)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    memcpy(st->read, t->read, n);
    memcpy(st->written, t->written, n);
}

static void join(struct state *st, struct touched *t)
{
    for (int a = 0; a <= st->pr->t->n_arrays; a++) {
        st->read[a] |= t->read[a];
        st->written[a] |= t->written[a];
    }
    free(t->read);
    free(t->written);
}

static void block_code(struct state *st, const struct poly_knode *k);

static void dealt_loop(struct poly_print *pr, const struct poly_knode *k, enum poly_share how)
{
    const struct poly_knode *inner = rg__poly_inner_shared(scop(pr), pr->k, k, how);
    if (inner) {
        rg__poly_loop_header(pr, k->loop, false);
        rg__poly_unroll_line(pr, 0);
        rg__poly_open_brace(pr, "%s",
                            rg__poly_dealt_header(pr, inner->loop, rg__poly_lane(pr), rg__poly_team_size(pr)));
        rg__poly_thread_code(pr, inner->kid[0]);
        rg__poly_close_brace(pr);
        rg__poly_close_brace(pr);
        return;
    }
    if (!rg__poly_knode_has_loop(k->kid[0])) rg__poly_unroll_line(pr, 0);
    rg__poly_open_brace(pr, "%s", rg__poly_dealt_header(pr, k->loop, rg__poly_lane(pr), rg__poly_team_size(pr)));
    rg__poly_thread_code(pr, k->kid[0]);
    rg__poly_close_brace(pr);
}

static void reduced_loop(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    struct poly_acc acc[16];
    int n = rg__poly_accumulators(scop(pr), pr->k, k->loop, acc, 16), before = rg__poly_open_accumulators(pr, acc, n);
    dealt_loop(pr, k, POLY_SHARE_REDUCE);
    rg__poly_reduce_all(pr, acc, n, before);
    size_t na = (size_t)pr->t->n_arrays + 1;
    bool waits = pr->k->team != POLY_TEAM_WARP; /* a block's combination holds barriers; shuffles order no memory */
    memset(st->read, 0, waits ? na : 0);
    memset(st->written, 0, waits ? na : 0);
    touch(st, k, st->read, st->written);
    for (size_t a = 0; a < na && waits; a++) {
        bool mine = false;
        for (int i = 0; i < n; i++) mine = mine || acc[i].array == (int)a;
        if (!mine) st->read[a] = st->written[a] = false;
    }
    pr->n_acc = before;
    rg__poly_take_totals(pr, acc, n, before);
}

/* The same for a loop that data bounds. */
static void opaque_loop(struct poly_print *pr, const struct poly_opaque_loop *o)
{
    int before = rg__poly_open_accumulators(pr, o->acc, o->n_acc);
    rg_buf_indent(&pr->out, pr->indent);
    rg_buf_printf(&pr->out, "// row.warp: loop %s, whose ends are data: each thread takes a share, then they combine\n",
                  pr->t->vars[o->var].name);
    rg__poly_unroll_line(pr, 0);
    rg__poly_opaque_header(pr, o);
    for (int i = 0; o->body->kind == RG_C_BLOCK && i < o->body->n; i++) rg__poly_statement(pr, o->body->kid[i]);
    if (o->body->kind != RG_C_BLOCK) rg__poly_statement(pr, o->body);
    rg__poly_close_brace(pr);
    rg__poly_reduce_all(pr, o->acc, o->n_acc, before);
    pr->n_acc = before;
    rg__poly_take_totals(pr, o->acc, o->n_acc, before);
}

static bool writes_array(struct state *st, const struct poly_knode *k)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    bool *r = rg_xcalloc(n, 1), *w = rg_xcalloc(n, 1), any = false;
    touch(st, k, r, w);
    for (size_t a = 0; a < n; a++) any = any || w[a];
    free(r);
    free(w);
    return any;
}

static bool writes_live_scalar(struct state *st, const struct poly_knode *k)
{
    const struct poly_scop *s = st->pr->s;
    for (int v = 0; v < s->tree->n_vars; v++)
        if (s->written[k->loop][v] && s->live_out[k->loop][v] && s->tree->vars[v].kind != RG_CVAR_ITER) return true;
    return false;
}

static void loop_of_block(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    enum poly_share how = rg__poly_share_of_node(scop(pr), pr->k, k);
    if (how == POLY_SHARE_DEAL && !writes_array(st, k))
        how = POLY_SHARE_NONE; /* nothing leaves it: nothing to deal out */
    if (how != POLY_SHARE_NONE) {
        enter(st, k);
        rg_buf_indent(&pr->out, pr->indent);
        rg_buf_printf(&pr->out, "// loop %s: %s\n", pr->s->loops[k->loop].name,
                      how == POLY_SHARE_DEAL ? "dealt out to the threads"
                      : how == POLY_SHARE_SCAN
                          ? "scan.block: in steps of neighbouring iterations, one or a few a thread"
                          : "each thread takes a share, then they combine");
        if (how == POLY_SHARE_SCAN)
            rg__poly_scan_loop(pr, k->scan, k);
        else if (how == POLY_SHARE_DEAL)
            dealt_loop(pr, k, POLY_SHARE_DEAL);
        else
            reduced_loop(st, k);
        return;
    }
    if (!rg__poly_shares_inside(scop(pr), pr->k, k->kid[0]) && writes_array(st, k) && !writes_live_scalar(st, k)) {
        enter(st, k);
        rg__poly_open_brace(pr, "if (%s)", rg__poly_lone(pr));
        rg__poly_thread_code(pr, k);
        rg__poly_close_brace(pr);
        return;
    }
    enter(st, k); /* the loop's own accesses among them: an iteration follows another one */
    struct touched before = keep(st);
    rg__poly_loop_header(pr, k->loop, false);
    block_code(st, k->kid[0]);
    rg__poly_close_brace(pr);
    join(st, &before); /* it may not run at all */
}

static void branches(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    struct touched before = keep(st), first;
    rg__poly_open_brace(pr, "if (%s)", rg__poly_text(pr, k->node->kid[0]));
    block_code(st, k->kid[0]);
    first = keep(st);
    restore(st, &before);
    if (k->n > 1 && k->kid[1] && k->kid[1]->n) {
        rg_buf_indent(&pr->out, pr->indent - 1);
        rg_buf_str(&pr->out, "} else {\n");
        block_code(st, k->kid[1]);
    }
    rg__poly_close_brace(pr);
    join(st, &first);
    join(st, &before);
}

static void block_code(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    struct poly_opaque_loop opaque;
    if (!k) return;
    switch (k->kind) {
    case KN_SEQ:
        for (int i = 0; i < k->n; i++) block_code(st, k->kid[i]);
        return;
    case KN_LEAF:
        enter(st, k);
        if (rg__poly_opaque_loop(pr->s, k->node, &opaque)) {
            opaque_loop(pr, &opaque);
        } else if (writes_array(st, k)) {
            rg__poly_open_brace(pr, "if (%s)", rg__poly_lone(pr));
            rg__poly_statement(pr, k->node);
            rg__poly_close_brace(pr);
        } else {
            rg__poly_statement(pr, k->node);
        }
        return;
    case KN_IF:
        branches(st, k);
        return;
    case KN_LOOP:
        loop_of_block(st, k);
        return;
    }
}

static void whole_block(struct poly_print *pr)
{
    size_t n = (size_t)pr->t->n_arrays + 1;
    struct state st = {pr, rg_xcalloc(n, 1), rg_xcalloc(n, 1)};
    block_code(&st, pr->k->body);
    free(st.read);
    free(st.written);
}

void rg__poly_block_items(struct poly_print *pr, struct poly_knode *const *items, int n)
{
    size_t na = (size_t)pr->t->n_arrays + 1;
    struct state st = {pr, rg_xcalloc(na, 1), rg_xcalloc(na, 1)};
    bool wrote = false;
    for (int i = 0; i < n; i++) {
        block_code(&st, items[i]);
        wrote = wrote || writes_array(&st, items[i]);
    }
    if (wrote) barrier(&st);
    free(st.read);
    free(st.written);
}

void rg__poly_block_body(struct poly_print *pr)
{
    rg__poly_team_lines(pr);
    whole_block(pr);
}
