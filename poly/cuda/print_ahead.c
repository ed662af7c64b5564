/* prefetch.register: a thread's loop that both loads and stores goes in chunks, whose loads all come first. The compiler moves no load
 * over a store by itself, so that without this every iteration waits for its own. */
#include "poly/cuda/print.h"
#include <stdio.h>
#include <string.h>

struct gathering {
    struct poly_print *pr;
    const struct poly_knode *loop;
    bool stores, bad, structures; /* structures: loads of members or whole ones */
    int n;
    const struct poly_access *load[POLY_MAX_AHEAD];
};

static bool in_memory(const struct poly_print *pr, int array)
{
    const struct rg_carray *c = &pr->t->arrays[array];
    bool is = c->elem != RG_STRUCT && !c->constant_table && (c->param >= 0 || pr->p->array_scratch[array]) && !(pr->k->atomic && pr->k->atomic[array]);
    for (int i = 0; i < pr->n_promoted; i++)
        is = is && pr->promoted[i].array != array;
    for (int i = 0; i < pr->n_acc; i++)
        is = is && pr->acc[i].array != array;
    return is;
}

static bool same_element(const struct poly_access *a, const struct poly_access *b)
{
    bool same = a->array == b->array && a->n_subs == b->n_subs;
    for (int d = 0; same && d < a->n_subs; d++)
        same = a->sub[d].ok && b->sub[d].ok && rg__poly_linear_equal(&a->sub[d], &b->sub[d]);
    return same;
}

static bool writes(const struct poly_scop *s, const struct poly_knode *k, int array)
{
    bool written = false;
    return rg__poly_knode_uses_array(s, k, array, &written) && written;
}

/* Every iteration of the loop reads it, nothing in the loop writes its array, and where it is follows from loops alone. */
static bool may_come_first(const struct gathering *g, const struct poly_access *a)
{
    bool along = false, ok = a->read && !a->write && a->certain && a->affine && !a->whole && !a->member && in_memory(g->pr, a->array) && !writes(g->pr->s, g->loop, a->array);
    for (int d = 0; ok && d < a->n_subs; d++) {
        ok = a->sub[d].ok;
        along = along || rg__poly_linear_coef(&a->sub[d], g->pr->s->loops[g->loop->loop].var) != 0;
    }
    return ok && along;
}

static bool gather(void *arg, const struct poly_knode *k)
{
    struct gathering *g = arg;
    const struct poly_scop *s = g->pr->s;
    if (k->kind != KN_LEAF)
        return true;
    const struct poly_knode *b = g->loop->kid[0];
    bool direct = b == k;
    for (int i = 0; b->kind == KN_SEQ && i < b->n; i++)
        direct = direct || b->kid[i] == k;
    g->bad = g->bad || k->node->kind == RG_C_OPAQUE || rg__poly_returns(k->node) || rg__poly_calls_helper(k->node);
    int id = rg__poly_stmt_of(s, k->node);
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &s->accesses[s->stmts[id].first_access + i];
        bool structure = g->pr->t->arrays[a->array].elem == RG_STRUCT;
        g->stores = g->stores || (a->write && (structure || in_memory(g->pr, a->array)));
        g->structures = g->structures || (a->read && structure);
        bool known = !direct || !may_come_first(g, a);
        for (int x = 0; x < g->n && !known; x++)
            known = same_element(g->load[x], a);
        if (!known && g->n < POLY_MAX_AHEAD)
            g->load[g->n++] = a;
    }
    return true;
}

int rg__poly_ahead_open(struct poly_print *pr, const struct poly_knode *k, const struct poly_access **load)
{
    const struct poly_loop *l = &pr->s->loops[k->loop];
    bool counted = rg_scalar_bytes(pr->t->vars[l->var].type) >= 4 && (l->step > 0 || rg_scalar_is_signed(pr->t->vars[l->var].type));
    struct gathering g = {.pr = pr, .loop = k};
    bool thread = pr->k->form == POLY_THREADS || pr->k->form == POLY_SINGLE;
    if (!pr->k->ahead || !thread || pr->scan || pr->tiled || pr->n_ahead || pr->s->problem->may_alias || l->node->n > 3 || rg__poly_knode_has_loop(k->kid[0]) || !counted)
        return 0;
    rg__poly_knode_walk(k, gather, &g);
    if (g.bad || !g.stores)
        return 0;
    memcpy(load, g.load, sizeof *load * (size_t)g.n);
    return g.n;
}

/* Why the loops of a thread that load and store are left as they are; false: there is none. */
bool rg__poly_ahead_refusal(struct poly_print *pr, const struct poly_knode *k, char *why, size_t size)
{
    if (k->kind == KN_LOOP && !rg__poly_knode_has_loop(k->kid[0])) {
        const struct poly_loop *l = &pr->s->loops[k->loop];
        struct gathering g = {.pr = pr, .loop = k};
        rg__poly_knode_walk(k, gather, &g);
        const char *because = !g.stores                                       ? NULL
                              : l->node->n > 3                                ? "ends when its data says so: how far it may load is not known"
                              : g.bad                                         ? "calls functions, or has parts that are run as they are: nothing moves over those"
                              : !rg_scalar_is_signed(pr->t->vars[l->var].type) && l->step < 0 ? "counts an unsigned variable down"
                              : rg_scalar_bytes(pr->t->vars[l->var].type) < 4 ? "has a counter of less than 32 bits"
                              : !g.n && g.structures                          ? "loads structures, which are not kept in registers ahead"
                                                                              : NULL;
        if (because) {
            snprintf(why, size, "loop %s %s", l->name, because);
            return true;
        }
    }
    for (int i = 0; i < k->n; i++)
        if (k->kid[i] && rg__poly_ahead_refusal(pr, k->kid[i], why, size))
            return true;
    return false;
}

bool rg__poly_ahead_any(struct poly_print *pr, const struct poly_knode *k)
{
    const struct poly_access *load[POLY_MAX_AHEAD];
    if (k->kind == KN_LOOP && rg__poly_ahead_open(pr, k, load))
        return true;
    for (int i = 0; i < k->n; i++)
        if (k->kid[i] && rg__poly_ahead_any(pr, k->kid[i]))
            return true;
    return false;
}

void rg__poly_ahead_loop(struct poly_print *pr, const struct poly_knode *k, const struct poly_access *const *load, int n, int keeps)
{
    const struct poly_loop *l = &pr->s->loops[k->loop];
    long long step = l->step > 0 ? l->step : -l->step, chunk = pr->v.ahead;
    const char *v = l->name, *x = rg__poly_fresh(pr, "ahead"), *count = pr->ahead_loops++ ? rg__poly_fresh(pr, "AHEAD_%d", pr->ahead_loops) : rg__poly_fresh(pr, "AHEAD"), sign = l->step > 0 ? '+' : '-';
    const char *limit = rg__poly_upper(pr, k->loop), *type = rg_scalar_cuda(pr->t->vars[l->var].type);
    const char *next = step == 1 ? rg__poly_printf(pr, "%s%c%c", v, sign, sign) : rg__poly_printf(pr, "%s %c= %lld", v, sign, step);
    const char *each = rg__poly_printf(pr, "for (int %s = 0; %s < %s; %s++", x, x, count, x);
    if (l->node->made)
        rg__poly_line(pr, "// %s", l->node->made);
    rg__poly_line(pr, "// prefetch.register: %s iterations at a time, what they load first", count);
    rg__poly_line(pr, "constexpr int %s = %lld;", count, chunk);
    rg__poly_line(pr, "%s %s = %s;", type, v, rg__poly_text(pr, l->node->kid[0]));
    /* of 64 bits: the end of a range may be that of its type */
    const char *rest = step == 1 ? rg__poly_printf(pr, "(%s - 1)", count) : rg__poly_printf(pr, "(%s - 1) * %lldLL", count, step);
    rg__poly_open_brace(pr, "while ((long long)%s %c %s %c %s)", v, sign, rest, l->step > 0 ? '<' : '>', limit);
    for (int i = 0; i < n; i++) {
        pr->ahead[i].access = load[i];
        pr->ahead[i].name = rg__poly_fresh(pr, n > 1 ? "%.60s_ahead%d" : "%.60s_ahead", rg__poly_array_name(pr, load[i]->array), i + 1);
        rg__poly_line(pr, "%s %s[%s];", rg__poly_elem_type(pr, load[i]->array), pr->ahead[i].name, count);
    }
    rg__poly_line(pr, "#pragma unroll");
    rg__poly_open_brace(pr, "%s)", each);
    int acc = pr->n_acc++; /* the loop's variable has another name there */
    pr->acc[acc].array = -1;
    pr->acc[acc].at = 0;
    pr->acc[acc].var = l->var;
    snprintf(pr->acc[acc].name, sizeof pr->acc[0].name, step == 1 ? "(%s %c %s)" : "(%s %c %s * %lld)", v, sign, x, step);
    for (int i = 0; i < n; i++)
        rg__poly_line(pr, "%s[%s] = %s;", pr->ahead[i].name, x, rg__poly_text(pr, load[i]->node));
    pr->n_acc = acc;
    rg__poly_close_brace(pr);
    rg__poly_line(pr, "#pragma unroll");
    rg__poly_open_brace(pr, "%s, %s)", each, next);
    pr->n_ahead = n;
    pr->ahead_index = x;
    rg__poly_iteration(pr, k, keeps);
    pr->n_ahead = 0;
    rg__poly_close_brace(pr);
    rg__poly_close_brace(pr);
    rg__poly_open_brace(pr, "for (; %s %c %s; %s)", rg__poly_signed(pr, k->loop, v), l->step > 0 ? '<' : '>', limit, next);
    rg__poly_iteration(pr, k, keeps);
    rg__poly_close_brace(pr);
}

const char *rg__poly_ahead_read(struct poly_print *pr, const struct poly_access *a)
{
    for (int i = 0; i < pr->n_ahead; i++)
        if (a->read && !a->write && !a->whole && !a->member && same_element(pr->ahead[i].access, a))
            return rg__poly_printf(pr, "%s[%s]", pr->ahead[i].name, pr->ahead_index);
    return NULL;
}
