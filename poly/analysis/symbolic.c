/* Symbolic constants in subscripts and conditions. In `for (..; len /= 2) { half = len / 2; for (i = 0; i < half; i++)
 * t[half + i] = a[2 * i] - a[2 * i + 1]; }` nobody knows what `half` holds, yet wherever nothing sets a local between
 * two accesses it is the same for both: a symbol. Then places and conditions are affine over iterators, parameters and
 * symbols. In different iterations of a loop that sets it, it may be anything. */
#include "ir/range_invariants.h"
#include "poly/analysis/scop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LOCALS = 24 };

struct symbolic {
    struct poly_scop *s;
    int n_locals, n_values;
    int local[MAX_LOCALS]; /* what symbols are made of */
    int value[MAX_LOCALS]; /* locals that are read as what they were declared to be */
    bool bad;
};

static bool is_local(const struct poly_scop *s, const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var >= 0 &&
           s->tree->vars[e->var].kind == RG_CVAR_LOCAL;
}

static bool over_scalars(const struct poly_scop *s, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->pointer ||
        rg_scalar_is_real(e->type) || (is_local(s, e) && s->var_hidden[e->var]) ||
        (e->kind == RG_C_CAST && rg_scalar_bytes(e->type) < 4)) /* which may lose something */
        return false;
    for (int i = 0; i < e->n; i++)
        if (!over_scalars(s, e->kid[i])) return false;
    return true;
}

static bool has_iterator(const struct poly_scop *s, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && s->tree->vars[e->var].kind == RG_CVAR_ITER) return true;
    if (is_local(s, e) && s->declared[e->var] && over_scalars(s, s->declared[e->var]) &&
        has_iterator(s, s->declared[e->var]))
        return true;
    for (int i = 0; i < e->n; i++)
        if (has_iterator(s, e->kid[i])) return true;
    return false;
}

static void add(int *list, int *n, bool *bad, int var)
{
    for (int i = 0; i < *n; i++)
        if (list[i] == var) return;
    if (*n == MAX_LOCALS)
        *bad = true;
    else
        list[(*n)++] = var;
}

static void symbol(struct symbolic *x, const struct rg_cnode *e)
{
    struct poly_scop *s = x->s;
    for (int i = 0; i < s->n_symbols; i++)
        if (rg__c_same(s->symbols[i], e, RG__C_UNCAST)) return;
    if (s->n_symbols == POLY_MAX_SYMBOLS)
        x->bad = true;
    else
        s->symbols[s->n_symbols++] = e;
}

/* Locals that e is made of; whether it has a symbol. */
static bool collect(struct symbolic *x, const struct rg_cnode *e)
{
    const struct poly_scop *s = x->s;
    bool some = false;
    if (is_local(s, e)) {
        const struct rg_cnode *v = s->declared[e->var];
        if (s->var_hidden[e->var] || rg_scalar_bytes(e->type) < 4) {
            x->bad = true;
            return false;
        }
        if (v && over_scalars(s, v) && !rg_scalar_is_real(e->type)) {
            add(x->value, &x->n_values, &x->bad, e->var);
            return collect(x, v);
        }
        add(x->local, &x->n_locals, &x->bad, e->var);
        symbol(x, e);
        return true;
    }
    for (int i = 0; i < e->n; i++) some = collect(x, e->kid[i]) || some;
    /* towards zero, which isl's quotients are only of what is not negative */
    if (e->kind == RG_C_BINARY && (e->op == RG_COP_DIV || e->op == RG_COP_REM)) {
        if (has_iterator(s, e))
            x->bad = true;
        else if (some)
            symbol(x, e);
    }
    return some;
}

/* Is it what the same operations on whole numbers give, overflow of signed ones apart? */
static bool mathematical(const struct rg_cnode *e)
{
    const bool truth = rg_c_relation(e->op) || rg_c_logic(e->op) || e->op == RG_COP_NOT;
    const bool leaf = e->kind == RG_C_VAR || e->kind == RG_C_INT;
    if (!truth && (!rg__scalar_is_int(e->type) || rg_scalar_bytes(e->type) < 4)) return false;
    if (!truth && !leaf && !rg_scalar_is_signed(e->type)) return false;
    for (int i = 0; i < e->n; i++)
        if (!mathematical(e->kid[i])) return false;
    return true;
}

/* ---- how far out it stands still ---- */

static const struct rg_cnode *body_of(const struct poly_scop *s, const struct poly_stmt *st, int depth)
{
    return depth ? s->loops[st->loops[depth - 1]].node->kid[2] : s->tree->root;
}

static int child_with(const struct rg_cnode *body, const struct rg_cnode *x)
{
    for (int i = 0; i < body->n; i++)
        if (rg__c_contains(body->kid[i], x)) return i;
    return -1;
}

static int declared_at(const struct rg_cnode *body, int var)
{
    for (int i = 0; i < body->n; i++)
        if (rg__c_declares(body->kid[i], var)) return i;
    return -1;
}

static bool set_between(const struct symbolic *x, const struct rg_cnode *body, int from, int to)
{
    for (int i = from; i <= to; i++)
        for (int k = 0; k < x->n_locals; k++)
            if (rg__c_writes_var(body->kid[i], x->local[k]) || rg__c_declares(body->kid[i], x->local[k])) return true;
    return false;
}

/* The number of loops, around both, in one iteration of which the symbols are the same for both; -1: none. */
static int stands_in(const struct symbolic *x, const struct poly_access *a, const struct poly_access *b,
                     const struct rg_cnode **child_a, const struct rg_cnode **child_b)
{
    const struct poly_scop *s = x->s;
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    int n = 0;
    for (int d = 0; d < sa->depth && d < sb->depth && sa->loops[d] == sb->loops[d]; d++)
        for (int k = 0; k < x->n_locals; k++)
            if (s->written[sa->loops[d]][x->local[k]]) n = d + 1;
    const struct rg_cnode *body = body_of(s, sa, n);
    if (body->kind != RG_C_BLOCK) return -1;
    int at_a = child_with(body, a->node), at_b = child_with(body, b->node), first = at_a < at_b ? at_a : at_b,
        last = at_a < at_b ? at_b : at_a;
    if (first < 0) return -1;
    for (int i = 0; i < x->n_values; i++) { /* what it was declared to be it is while its own symbols stand */
        int at = declared_at(body, x->value[i]);
        if (at < 0) return -1;
        if (at + 1 < first) first = at + 1;
    }
    if (set_between(x, body, first, last)) return -1;
    *child_a = body->kid[at_a];
    *child_b = body->kid[at_b];
    return n;
}

/* ---- the pairs ---- */

static isl_set *with_symbols(const struct poly_scop *s, isl_set *set)
{
    unsigned first = (unsigned)isl_set_dim(set, isl_dim_param);
    set = isl_set_add_dims(set, isl_dim_param, (unsigned)s->n_symbols);
    for (int i = 0; i < s->n_symbols; i++) {
        char name[24];
        snprintf(name, sizeof name, POLY_SYMBOL, i);
        set = isl_set_set_dim_name(set, isl_dim_param, first + (unsigned)i, name);
    }
    return set;
}

/* q = e / c of an e that is affine, where e >= 0: c*q <= e < c*q + c. */
static isl_set *quotients(const struct symbolic *x, const struct poly_stmt *st, isl_set *dom)
{
    struct poly_scop *s = x->s;
    isl_space *sp = isl_set_get_space(dom);
    for (int i = 0; i < s->n_symbols; i++) {
        const struct rg_cnode *q = s->symbols[i];
        int64_t c;
        if (q->op != RG_COP_DIV || !rg__c_number(q->kid[1], &c) || c <= 0 || !mathematical(q)) continue;
        isl_pw_aff *e = rg__poly_aff(s, st->loops, st->depth, sp, q->kid[0]),
                   *own = e ? rg__poly_aff(s, st->loops, st->depth, sp, q) : NULL;
        if (own) {
            own = isl_pw_aff_scale_val(own, isl_val_int_from_si(s->ctx, c));
            isl_local_space *ls = isl_local_space_from_space(isl_space_copy(sp));
            isl_pw_aff *rest = isl_pw_aff_sub(isl_pw_aff_copy(e), own),
                       *zero = isl_pw_aff_from_aff(isl_aff_zero_on_domain(isl_local_space_copy(ls))),
                       *end = isl_pw_aff_from_aff(isl_aff_val_on_domain(ls, isl_val_int_from_si(s->ctx, c)));
            isl_set *in = isl_pw_aff_ge_set(isl_pw_aff_copy(rest), isl_pw_aff_copy(zero));
            in = isl_set_intersect(in, isl_pw_aff_lt_set(rest, end));
            in = isl_set_union(in, isl_pw_aff_lt_set(isl_pw_aff_copy(e), zero));
            dom = isl_set_intersect(dom, in);
        }
        isl_pw_aff_free(e);
    }
    isl_space_free(sp);
    return dom;
}

/* What a local never exceeds, or is never below, over parameters; NULL: nobody knows. */
static const struct rg_cnode *end_of(struct poly_scop *s, int var, bool most)
{
    if (!s->ends) { /* nodes in an arena of its own: the tree is not ours to add to */
        struct rg_ctree t = *s->tree;
        t.arena = (struct rg_arena){0};
        s->ends = rg_xcalloc((size_t)t.n_vars + 1, sizeof *s->ends);
        struct rg__given *g = rg__given_of(&t, s->problem);
        struct rg__invariants *known = rg__invariants_of(&t, g);
        for (int v = 0; v < t.n_vars; v++)
            for (int k = 0; k < 2 && t.vars[v].kind == RG_CVAR_LOCAL && rg__scalar_is_int(t.vars[v].type); k++)
                s->ends[v].of[k] = rg__invariant_end(known, rg__c_var(&t, v), k);
        rg__invariants_free(known);
        rg__given_free(g);
        s->ends_arena = t.arena;
    }
    return s->ends[var].of[most];
}

/* Locals that symbols are lie between their ends. */
static isl_set *between_ends(struct poly_scop *s, const struct poly_stmt *st, isl_set *dom)
{
    isl_space *sp = isl_set_get_space(dom);
    for (int i = 0; i < s->n_symbols; i++)
        for (int k = 0; k < 2 && s->symbols[i]->kind == RG_C_VAR; k++) {
            const struct rg_cnode *end = end_of(s, s->symbols[i]->var, k);
            isl_pw_aff *e = end ? rg__poly_aff(s, st->loops, st->depth, sp, end) : NULL,
                       *own = e ? rg__poly_aff(s, st->loops, st->depth, sp, s->symbols[i]) : NULL;
            if (own)
                dom = isl_set_intersect(dom, k ? isl_pw_aff_le_set(own, e) : isl_pw_aff_ge_set(own, e));
            else
                isl_pw_aff_free(e);
        }
    isl_space_free(sp);
    return dom;
}

/* { iterations -> place }, as far as conditions and subscripts say. */
static isl_map *places(struct symbolic *x, const struct poly_access *a, const struct poly_conditions *c)
{
    struct poly_scop *s = x->s;
    const struct poly_stmt *st = &s->stmts[a->stmt];
    isl_set *dom = with_symbols(s, isl_set_copy(st->domain));
    isl_space *sp = isl_set_get_space(dom);
    for (int i = 0; i < c->n; i++) {
        isl_set *one = rg__poly_condition(s, st->loops, st->depth, sp, c->item[i]);
        if (one) dom = isl_set_intersect(dom, c->negated[i] ? isl_set_complement(one) : one);
    }
    dom = quotients(x, st, between_ends(s, st, dom));
    isl_map *m = isl_map_from_domain(isl_set_copy(dom));
    for (int d = 0; d < a->n_subs; d++) {
        isl_pw_aff *pa = rg__poly_aff(s, st->loops, st->depth, sp, a->node->kid[d]);
        isl_space *to = isl_space_add_dims(isl_space_from_domain(isl_space_copy(sp)), isl_dim_out, 1);
        isl_map *one = pa ? isl_map_from_pw_aff(pa) : isl_map_universe(isl_space_copy(to));
        isl_space_free(to);
        m = isl_map_flat_range_product(m, one);
    }
    isl_set_free(dom);
    isl_space_free(sp);
    return m;
}

static bool wants(struct symbolic *x, const struct poly_access *a)
{
    bool some = false;
    for (int d = 0; d < a->n_subs; d++)
        if (!a->sub[d].ok && over_scalars(x->s, a->node->kid[d])) some = collect(x, a->node->kid[d]) || some;
    return some;
}

/* A flag is what it was declared to be, too. */
static void note_flags(struct symbolic *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    const bool flag = is_local(x->s, e) && x->s->declared[e->var];
    if (flag) add(x->value, &x->n_values, &x->bad, e->var);
    if (flag) note_flags(x, x->s->declared[e->var]);
    for (int i = 0; i < e->n && rg_c_lazy(e->op); i++) note_flags(x, e->kid[i]);
}

/* Conditions that are affine over what is known; the others say nothing here. false: one is only too much. */
static bool useful(struct symbolic *x, struct poly_conditions *c)
{
    bool all = true;
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        if (!over_scalars(x->s, c->item[i]) || !mathematical(c->item[i])) continue;
        struct symbolic before = *x;
        int symbols = x->s->n_symbols;
        collect(x, c->item[i]);
        note_flags(x, c->asked[i]);
        if (x->bad) { /* one condition less */
            *x = before;
            x->s->n_symbols = symbols;
            all = false;
            continue;
        }
        c->negated[n] = c->negated[i];
        c->asked[n] = c->asked[i];
        c->item[n++] = c->item[i];
    }
    c->n = n;
    return all;
}

static isl_map *pairs(struct symbolic *x, isl_space *sp, const struct poly_access *a, const struct poly_access *b)
{
    struct poly_scop *s = x->s;
    struct poly_conditions ca = {0}, cb = {0};
    const struct rg_cnode *in_a, *in_b;
    bool some = wants(x, a), other = wants(x, b);
    if ((!some && !other) || x->bad || stands_in(x, a, b, &in_a, &in_b) < 0) return NULL;
    if (!rg__poly_around(s, in_a, a->node, &ca) || !rg__poly_around(s, in_b, b->node, &cb)) return NULL;
    struct symbolic before = *x;
    int symbols = s->n_symbols;
    useful(x, &ca);
    useful(x, &cb);
    int n = stands_in(x, a, b, &in_a, &in_b);
    if (n < 0) { /* without what the conditions speak of */
        *x = before;
        s->n_symbols = symbols;
        ca.n = cb.n = 0;
        n = stands_in(x, a, b, &in_a, &in_b);
    }
    isl_map *m = isl_map_apply_range(places(x, a, &ca), isl_map_reverse(places(x, b, &cb)));
    m = isl_map_project_out(m, isl_dim_param, (unsigned)isl_map_dim(m, isl_dim_param) - (unsigned)s->n_symbols,
                            (unsigned)s->n_symbols);
    isl_map *any = isl_map_universe(isl_space_copy(sp));
    for (int d = 0; d < n; d++) m = isl_map_equate(m, isl_dim_in, d, isl_dim_out, d);
    for (int d = 0; d < n; d++) {
        m = isl_map_union(m, isl_map_order_lt(isl_map_copy(any), isl_dim_in, d, isl_dim_out, d));
        m = isl_map_union(m, isl_map_order_gt(isl_map_copy(any), isl_dim_in, d, isl_dim_out, d));
    }
    isl_map_free(any);
    return m;
}

isl_map *rg__poly_symbolic(struct poly_scop *s, isl_space *sp, const struct poly_access *a, const struct poly_access *b)
{
    struct symbolic x = {.s = s};
    if (!a->node || !b->node || a->n_subs != b->n_subs || a->varies || b->varies) return NULL;
    s->n_symbols = 0;
    isl_map *m = pairs(&x, sp, a, b);
    s->n_symbols = 0;
    return m;
}

/* ---- all accesses to an array in a loop ---- */

static bool set_in(const struct symbolic *x, int loop)
{
    for (int k = 0; k < x->n_locals; k++)
        if (x->s->written[loop][x->local[k]]) return true;
    return false;
}

bool rg__poly_symbolic_begin(struct poly_scop *s, int loop, int array)
{
    struct symbolic x = {.s = s};
    const struct poly_loop *l = &s->loops[loop];
    const struct rg_cnode *body = l->node->kid[2];
    s->n_symbols = 0;
    for (int i = 0; i < s->n_accesses && !x.bad; i++) {
        const struct poly_access *a = &s->accesses[i];
        struct poly_conditions c = {0};
        if (a->array != array || a->stmt < l->first_stmt || a->stmt >= l->first_stmt + l->n_stmts) continue;
        x.bad = !a->node || a->varies || !rg__poly_around(s, body, a->node, &c);
        if (x.bad) break;
        wants(&x, a);
        x.bad = !useful(&x, &c) || x.bad;
    }
    for (int i = 0; i < x.n_values && !x.bad; i++) x.bad = declared_at(body, x.value[i]) < 0;
    if (!x.bad && s->n_symbols && !set_in(&x, loop)) return true;
    s->n_symbols = 0;
    return false;
}

/* All conditions between the loop's body and the access, in a set; NULL: one of them is not affine. */
static isl_set *asked(struct poly_scop *s, const struct poly_stmt *st, const struct poly_conditions *c, isl_set *dom)
{
    isl_space *sp = isl_set_get_space(dom);
    for (int i = 0; i < c->n && dom; i++) {
        bool plain = over_scalars(s, c->item[i]) && mathematical(c->item[i]);
        isl_set *one = plain ? rg__poly_condition(s, st->loops, st->depth, sp, c->item[i]) : NULL;
        if (!one)
            dom = isl_set_free(dom);
        else
            dom = isl_set_intersect(dom, c->negated[i] ? isl_set_complement(one) : one);
    }
    isl_space_free(sp);
    return dom;
}

isl_map *rg__poly_symbolic_map(struct poly_scop *s, int loop, const struct poly_access *a, bool certain)
{
    struct symbolic x = {.s = s};
    struct poly_conditions c = {0};
    const struct poly_stmt *st = &s->stmts[a->stmt];
    if (!rg__poly_around(s, s->loops[loop].node->kid[2], a->node, &c)) return NULL;
    isl_set *dom = isl_set_universe(isl_set_get_space(st->domain));
    bool exact = true;
    isl_set *named = with_symbols(s, dom);
    isl_space *sp = isl_set_get_space(named);
    for (int d = 0; d < st->depth; d++) {
        bool ignored = true, inner = d > s->loops[loop].depth;
        named = rg__poly_loop_bounds(s, st->loops, sp, named, d, inner ? &exact : &ignored);
    }
    named = quotients(&x, st, between_ends(s, st, named));
    isl_set *sure = asked(s, st, &c, isl_set_copy(named));
    if (certain && (!exact || !sure)) named = isl_set_free(named);
    if (named && sure) named = isl_set_intersect(named, isl_set_copy(sure));
    isl_set_free(sure);
    isl_map *m = named ? isl_map_from_domain(isl_set_copy(named)) : NULL;
    for (int d = 0; d < a->n_subs && m; d++) {
        isl_pw_aff *pa = rg__poly_aff(s, st->loops, st->depth, sp, a->node->kid[d]);
        m = pa ? isl_map_flat_range_product(m, isl_map_from_pw_aff(pa)) : isl_map_free(m);
    }
    isl_set_free(named);
    isl_space_free(sp);
    return m;
}

void rg__poly_symbolic_end(struct poly_scop *s)
{
    s->n_symbols = 0;
}
