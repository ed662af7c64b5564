/* Loops whose iterations may store to one another's elements, and ask for them, in an order that does not matter
 * (scattered_stores_proof.c): level by level through a graph, marks, minima beside a flag. They go by the elements as
 * the loop found them, which only what others have stored could tell from newer ones:
 *     for i: before[i] = level[i];
 *     for u: if (before[u] == d) for e: if (before[v[e]] < 0) { level[v[e]] = d + 1; more[0] = 1; }
 * Stores of one value, minima, maxima, flags and sums are what many threads may do at once. */
#include "frontend/load.h"
#include "frontend/normalise/scattered_stores.h"
#include "frontend/normalise/size_symbols.h"
#include <stdlib.h>
#include <string.h>

struct pass { /* over a function */
    struct rg_ctree *t;
    struct rg__load *l;
    const struct rg__given *given;
    struct rg__kids declarations;
    const struct rg_cnode *around[RG__MAX_NEST]; /* loops */
    int n_around;
};

struct change { /* of one loop */
    struct rg_ctree *t;
    const struct rg__scatter *s;
    int *before;            /* [array] what it was; -1 */
    int *at;                /* [var] the element that stands for a scalar; -1 */
    struct rg_cnode **flat; /* [array] of one whose rows nobody counted: how many elements there are */
};

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* How many elements a parameter has whose rows nobody counted; NULL. */
static struct rg_cnode *elements(struct rg_ctree *t, const struct rg_problem *p, int array)
{
    const struct rg_carray *a = &t->arrays[array];
    struct rg_cnode *all = NULL;
    const struct rg_param *x = a->param >= 0 && a->n_dims > 1 && a->dims && !a->dims[0] ? &p->params[a->param] : NULL;
    for (int d = 0; x && d < x->n_dims; d++) {
        struct rg_cnode *e = x->dims[d] ? rg__c_from_expr(t, x->dims[d]) : NULL;
        if (!e) return NULL;
        all = all ? rg__c_binary(t, RG_COP_MUL, all, e) : e;
    }
    return all;
}

/* The number of the element, row after row. */
static struct rg_cnode *linear(struct rg_ctree *t, const struct rg_cnode *n)
{
    const struct rg_cnode *is = rg_c_linear(t, n);
    if (is) return rg__c_cast(t, rg__c_copy(t, is), RG_LLONG);
    struct rg_cnode *at = NULL;
    for (int d = 0; d < n->n; d++) {
        struct rg_cnode *k = rg__c_cast(t, rg__c_copy(t, n->kid[d]), RG_LLONG);
        at = at ? rg__c_binary(t, RG_COP_ADD,
                               rg__c_binary(t, RG_COP_MUL, at,
                                            rg__c_cast(t, rg__c_from_expr(t, t->arrays[n->array].dims[d]), RG_LLONG)),
                               k)
                : k;
    }
    return at;
}

/* Reads, and the elements that arms of stores keep, become those of what was. */
static void read_before(const struct change *c, struct rg_cnode *n)
{
    if (!n) return;
    const bool stored = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_INDEX;
    const bool asked = n->kind == RG_C_INDEX && c->before[n->array] >= 0 && !rg__scatter_held(c->s, n);
    const int was = n->array;
    for (int i = 0; i < n->n; i++) {
        if (stored && i == 0)
            for (int d = 0; d < n->kid[0]->n; d++) read_before(c, n->kid[0]->kid[d]);
        else
            read_before(c, n->kid[i]);
    }
    if (!asked) return;
    if (c->t->arrays[c->before[was]].n_dims != n->n) {
        n->kid[0] = linear(c->t, n);
        n->n = 1;
    }
    n->array = c->before[was];
}

static struct rg_cnode *at_zero(struct rg_ctree *t, int array)
{
    struct rg_cnode *zero = rg__c_int(t, 0);
    return rg__c_index(t, array, 1, &zero);
}

static struct rg_cnode *statement(struct rg_ctree *t, struct rg_cnode *e, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, e);
    s->line = at->line;
    s->column = at->column;
    return s;
}

/* int is_so = c; if (is_so) s; */
static void only_if(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *s, struct rg__kids *out)
{
    rg__round_if_so(t, c, 0, s, out);
    out->items[out->n - 1]->kid[1]->kid[0] = s;
}

/* What the statement becomes; none: it stays. */
static bool replaced(const struct change *c, struct rg_cnode *k, struct rg__kids *with)
{
    struct rg_ctree *t = c->t;
    struct rg_cnode *e = k->kid[0], *to = e->n ? e->kid[0] : NULL;
    if ((e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) || !to) return false;
    const struct rg_cnode *asks = NULL;
    bool holds = true;
    const bool set = e->kind == RG_C_ASSIGN && e->op == RG_COP_SET;
    struct rg_cnode was = *e, *kids[2] = {to, set ? e->kid[1] : NULL};
    if (to->kind == RG_C_INDEX) { /* as the arm that keeps it says it */
        struct rg_cnode *in = rg_cnode_new(t, RG_C_BLOCK, 1);
        in->kid[0] = rg__c_copy(t, to);
        read_before(c, in);
        kids[0] = in->kid[0];
    }
    was.kid = kids;
    const struct rg_cnode *value = set ? rg__round_choice(&was, &asks, &holds) : NULL;
    for (int v = 0; v < c->s->n_vars; v++)
        if (c->s->part[v] == k) return true;
    int v = scalar(to) && to->var < c->s->n_vars ? to->var : -1;
    if (v >= 0 && c->s->part[v]) v = c->s->part[v]->kid[0]->kid[0]->var;
    if (v >= 0 && c->at[v] >= 0) {
        const int at = c->at[v];
        struct rg_cnode *s;
        if (c->s->counted[v]) return true;
        if (set || c->s->flag[v]) {
            s = rg__round_raise(t, at, 1, k);
        } else {
            struct rg_cnode *by = e->kind == RG_C_INCDEC ? rg__c_int(t, 1) : e->kid[1];
            bool less = e->kind == RG_C_INCDEC ? !rg_c_increments(e->op) : e->op == RG_COP_SUB_SET;
            s = statement(t, rg__c_assign(t, less ? RG_COP_SUB_SET : RG_COP_ADD_SET, at_zero(t, at), by), k);
        }
        if (value)
            only_if(t, holds ? rg__c_copy(t, asks) : rg__negated(t, rg__c_copy(t, asks)), s, with);
        else
            rg__kids_add(with, s);
        return true;
    }
    enum rg__scattered kind = to->kind == RG_C_INDEX ? c->s->kind[to->array] : RG__SCATTER_NONE;
    if (!set || kind == RG__SCATTER_NONE) return false;
    struct rg_cnode *x = rg__c_copy(t, value ? value : e->kid[1]);
    if (kind != RG__SCATTER_ONE) {
        struct rg_cnode *less =
            rg__c_binary(t, kind == RG__SCATTER_LESS ? RG_COP_LT : RG_COP_GT, rg__c_copy(t, x), rg__c_copy(t, to));
        x = rg__round_either(t, less, rg__c_cast(t, x, to->type), rg__c_copy(t, to));
    } else if (!value) {
        return false;
    }
    struct rg_cnode *s = statement(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, to), rg__c_cast(t, x, to->type)), k);
    if (value && kind == RG__SCATTER_ONE)
        only_if(t, holds ? rg__c_copy(t, asks) : rg__negated(t, rg__c_copy(t, asks)), s, with);
    else
        rg__kids_add(with, s);
    return true;
}

static void rewrite(const struct change *c, struct rg_cnode *n)
{
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        struct rg__kids with = {0};
        if (!k || rg__c_is_expr(k)) continue;
        if (k->kind != RG_C_STMT) {
            rewrite(c, k);
        } else if (replaced(c, k, &with)) {
            if (n->kind == RG_C_BLOCK) {
                int more = with.n - 1;
                rg__block_splice(c->t, n, i, 1, &with);
                i += more;
            } else {
                n->kid[i] = rg__kids_node(c->t, RG_C_BLOCK, &with);
            }
        }
    }
}

/* for all i: n += before[i] != a[i] ? k : 0; */
static struct rg_cnode *count_changed(const struct change *c, int var, int array, int64_t k, const struct rg_cnode *at)
{
    struct rg_ctree *t = c->t;
    struct rg_cnode *nest = rg__round_copy_all(t, c->before[array], array, at), *inner = nest;
    while (inner->kid[2]->kid[0]->kind == RG_C_LOOP) inner = inner->kid[2]->kid[0];
    struct rg_cnode *e = inner->kid[2]->kid[0]->kid[0];
    struct rg_cnode *differs = rg__c_binary(t, RG_COP_NE, e->kid[0], e->kid[1]);
    struct rg_cnode *one = rg__round_either(t, differs, rg__c_int(t, k), rg__c_int(t, 0));
    inner->kid[2]->kid[0] =
        statement(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, var), rg__c_cast(t, one, t->vars[var].type)), at);
    return nest;
}

/* What is added to the scalar, all of which is one number. */
static int64_t step_of(const struct rg__scatter *s, int var)
{
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *e = &s->effect[i];
        double k = 1;
        if (!e->to || e->to->kind != RG_C_VAR || e->to->var != var) continue;
        const struct rg_cnode *x = e->stmt->kid[0];
        if (x->kind == RG_C_ASSIGN) rg__round_number(x->kid[1], &k);
        return (int64_t)(x->op == RG_COP_SUB_SET || (x->kind == RG_C_INCDEC && !rg_c_increments(x->op)) ? -k : k);
    }
    return 0;
}

/* Scalars that the loop sets become elements; statements behind it give them back. */
static void scalars(struct pass *w, struct change *c, struct rg__kids *front, struct rg__kids *behind)
{
    struct rg_ctree *t = w->t;
    const struct rg_cnode *l = c->s->loop;
    for (int v = 0; v < c->s->n_vars; v++) {
        const struct rg__effect *by = NULL;
        for (int i = 0; i < c->s->n_effects && !by; i++)
            if (c->s->effect[i].to && c->s->effect[i].to->kind == RG_C_VAR && c->s->effect[i].to->var == v)
                by = &c->s->effect[i];
        if (!by || c->s->left[v]) continue;
        const bool raised = by->value || c->s->flag[v];
        enum rg_scalar type = t->vars[v].type;
        c->at[v] = rg__round_one_element(t, t->vars[v].name, raised ? RG_I32 : type, l, &w->declarations);
        rg__kids_add(front, rg__round_raise(t, c->at[v], 0, l));
        struct rg_cnode *is = at_zero(t, c->at[v]);
        if (c->s->counted[v]) {
            rg__kids_add(behind, count_changed(c, v, c->s->counted_in[v], step_of(c->s, v), l));
        } else if (by->value) {
            struct rg_cnode *value = rg__c_cast(t, rg__c_copy(t, by->value), type);
            struct rg_cnode *set = rg__c_binary(t, RG_COP_NE, is, rg__c_int(t, 0));
            value = rg__round_either(t, set, value, rg__c_var(t, v));
            rg__kids_add(behind, statement(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, v), value), l));
        } else {
            rg__kids_add(behind,
                         statement(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, v), rg__c_cast(t, is, type)), l));
        }
    }
}

/* Is there anything that only this makes free? */
static bool worth(struct pass *w, struct change *c)
{
    const struct rg__scatter *s = c->s;
    bool reads = false, led = false, sets = false;
    for (int i = 0; i < s->n_reads; i++) {
        const int a = s->read[i].node->array;
        if (!s->written[a] || rg__scatter_held(s, s->read[i].node)) continue;
        c->before[a] = 0;
    }
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg_cnode *to = s->effect[i].to;
        sets = sets || (to && to->kind == RG_C_VAR && !s->left[to->var]);
        led = led || (to && to->kind == RG_C_INDEX && s->kind[to->array] != RG__SCATTER_NONE && rg__scatter_led(s, to));
        const struct rg_cnode *asks;
        bool holds;
        if (to && to->kind == RG_C_INDEX && s->kind[to->array] > RG__SCATTER_ONE && rg__scatter_led(s, to))
            reads = reads || !rg__round_choice(s->effect[i].stmt->kid[0], &asks, &holds); /* an IF around it */
        bool small = to && to->kind == RG_C_INDEX && s->kind[to->array] > RG__SCATTER_ONE &&
                     rg_scalar_bytes(to->type) < 4; /* the device has no atomic minimum for it */
        if (small) return false;
        for (int k = 0; k < w->n_around && to && to->kind == RG_C_INDEX; k++)
            if ((w->around[k]->n == 3 &&
                 rg__c_mentions_var(to, w->around[k]->var)) || /* rounds are never all at once */
                rg__c_declares_array(w->around[k], to->array))
                return false; /* its iterations may have elements of their own, perhaps all at once */
    }
    for (int v = 0; v < s->n_vars; v++)
        if (s->counted[v]) c->before[s->counted_in[v]] = 0;
    for (int a = 0; a < s->n_arrays; a++) {
        if (c->before[a] < 0) continue;
        const struct rg_carray *x = &w->t->arrays[a];
        if (!x->dims || x->n_dims > 8 || x->constant_table) return false;
        for (int d = 0; d < x->n_dims; d++)
            if (!rg__round_extent(w->t, a, d) && (d || !elements(w->t, w->l->p, a))) return false;
        reads = reads || s->kind[a] == RG__SCATTER_ONE || s->assume;
    }
    for (int i = 0; i < s->n_effects; i++) { /* what atomics there are for sums */
        const struct rg__effect *e = &s->effect[i];
        if (e->to && e->to->kind == RG_C_VAR && !e->value && !s->flag[e->to->var] &&
            rg_scalar_bytes(w->t->vars[e->to->var].type) < 4)
            return false;
    }
    return reads || (led && sets);
}

/* What the user's word stands for here. */
static void say_assumed(struct pass *w, const struct change *c)
{
    struct rg_problem *p = w->l->p;
    const struct rg_cnode *l = c->s->loop;
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "%s%sloop %s (%s:%d) may run in any order:", p->assumed ? p->assumed : "order-free: ",
                  p->assumed ? "; " : "", w->t->vars[l->var].name, p->file, l->line);
    int n = 0;
    for (int a = 0; a < c->s->n_arrays; a++)
        if (c->before[a] >= 0) rg_buf_printf(&b, "%s %s", n++ ? "," : "", w->t->arrays[a].name);
    rg_buf_printf(&b, " as it found %s", n > 1 ? "them" : "it");
    p->assumed = rg_arena_strdup(&p->arena, b.data);
    rg_buf_release(&b);
}

static bool take(struct pass *w, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = w->t;
    struct rg_cnode *l = block->kid[at];
    const size_t n_vars = (size_t)t->n_vars + 1, n_arrays = (size_t)t->n_arrays + 1;
    struct rg__scatter *s = rg_xcalloc(1, sizeof *s);
    *s = (struct rg__scatter){.t = t,
                              .given = w->given,
                              .loop = l,
                              .around = w->around,
                              .n_around = w->n_around,
                              .n_vars = t->n_vars,
                              .n_arrays = t->n_arrays,
                              .is = rg_xcalloc(n_vars, sizeof *s->is),
                              .own = rg_xcalloc(n_vars, 1),
                              .set = rg_xcalloc(n_vars, 1),
                              .link = rg_xcalloc(n_vars, 1),
                              .from_data = rg_xcalloc(n_vars, 1),
                              .flag = rg_xcalloc(n_vars, 1),
                              .counted = rg_xcalloc(n_vars, 1),
                              .counted_in = rg_xcalloc(n_vars, sizeof(int)),
                              .part = rg_xcalloc(n_vars, sizeof *s->part),
                              .left = rg_xcalloc(n_vars, 1),
                              .written = rg_xcalloc(n_arrays, 1),
                              .updated = rg_xcalloc(n_arrays, 1),
                              .kind = rg_xcalloc(n_arrays, sizeof *s->kind)};
    struct change c = {t, s, rg_xcalloc(n_arrays, sizeof(int)), rg_xcalloc(n_vars, sizeof(int)),
                       rg_xcalloc(n_arrays, sizeof *c.flat)};
    for (size_t i = 0; i < n_arrays; i++) c.before[i] = -1;
    for (size_t i = 0; i < n_vars; i++) c.at[i] = -1;
    rg__scatter_follow(s);
    bool followed = !s->why, ok = followed && rg__scatter_proven(s);
    const bool assumed = !ok && followed && (w->l->o->assume & RG_ASSUME_ORDER_FREE) && rg__scatter_assumable(s);
    ok = (ok || assumed) && worth(w, &c);
    for (int a = 0; a < s->n_arrays && ok; a++) {
        struct rg_cnode *all = c.before[a] < 0 ? NULL : elements(t, w->l->p, a);
        c.flat[a] = all && !rg_c_affine(t, all) ? rg__derive_symbol(w->l, "elements", all) : all;
        ok = !all || c.flat[a];
    }
    if (ok) {
        struct rg__kids with = {0}, behind = {0};
        for (int a = 0; a < s->n_arrays; a++) {
            if (c.before[a] < 0) continue;
            struct rg_cnode *flat = c.flat[a];
            c.before[a] = rg__round_another(t, a, "before", l, &w->declarations);
            if (flat) rg__round_flatten(t, c.before[a], flat);
        }
        scalars(w, &c, &with, &behind);
        read_before(&c, l->kid[2]);
        rewrite(&c, l->kid[2]);
        for (int a = 0; a < s->n_arrays; a++) { /* minima may ask for nothing but themselves */
            bool used = c.before[a] >= 0 && rg__c_mentions_array(l, c.before[a]);
            for (int i = 0; i < behind.n && c.before[a] >= 0; i++)
                used = used || rg__c_mentions_array(behind.items[i], c.before[a]);
            if (used) rg__kids_add(&with, rg__round_copy_all(t, c.before[a], a, l));
        }
        if (assumed) say_assumed(w, &c);
        rg__kids_add(&with, l);
        for (int i = 0; i < behind.n; i++) rg__kids_add(&with, behind.items[i]);
        free(behind.items);
        rg__block_splice(t, block, at, 1, &with);
    }
    free(c.before);
    free(c.at);
    free(c.flat);
    free(s->is);
    free(s->own);
    free(s->set);
    free(s->link);
    free(s->from_data);
    free(s->flag);
    free(s->counted);
    free(s->counted_in);
    free(s->part);
    free(s->left);
    free(s->written);
    free(s->updated);
    free(s->kind);
    free(s);
    return ok;
}

static void walk(struct pass *w, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF) || w->n_around == RG__MAX_NEST)
        return;
    if (n->kind == RG_C_LOOP) w->around[w->n_around++] = n;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        int was = n->n;
        if (n->kind == RG_C_BLOCK && k->kind == RG_C_LOOP && k->n == 3 && take(w, n, i))
            i += n->n - was;
        else
            walk(w, k);
    }
    if (n->kind == RG_C_LOOP) w->n_around--;
}

enum rg_status rg__canon_scattered(struct rg__load *l)
{
    if (l->p->may_alias) return RG_OK;
    struct rg__given *given = rg__given_of(l->t, l->p);
    struct pass w = {.t = l->t, .l = l, .given = given};
    walk(&w, l->t->root);
    struct rg__kids used = {0};
    for (int i = 0; i < w.declarations.n; i++)
        if (rg__c_mentions_array(l->t->root, w.declarations.items[i]->array))
            rg__kids_add(&used, w.declarations.items[i]);
    free(w.declarations.items);
    rg__block_splice(l->t, l->t->root, 0, 0, &used);
    rg__given_free(given);
    return RG_OK;
}
