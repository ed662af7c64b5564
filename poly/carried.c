/* Which values a loop carries, how each is updated, and what of the loop's body they need: the analysis behind scan.block. */
#include "poly/scan.h"
#include <stdlib.h>
#include <string.h>

struct analysis {
    struct poly_program *p;
    struct poly_scop *s;
    const struct poly_knode *body;
    struct poly_scan *sc;
    char *why;
    size_t size;
};

static bool no(struct analysis *an, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool no(struct analysis *an, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(an->why, an->size, fmt, ap);
    va_end(ap);
    return false;
}

static const char *loop_name(const struct analysis *an)
{
    return an->s->loops[an->sc->loop].name;
}

static const char *name_of(const struct analysis *an, const struct poly_carried *c)
{
    return c->array >= 0 ? an->s->tree->arrays[c->array].name : an->s->tree->vars[c->var].name;
}

bool rg__poly_set_of(const struct rg_cnode *n, struct poly_set *out)
{
    *out = (struct poly_set){.var = -1, .op = "="};
    if (n->kind == RG_C_DECL) {
        if (n->array >= 0 || !n->n || !n->kid[0] || n->kid[0]->kind == RG_C_INITLIST)
            return false;
        out->var = n->var;
        out->value = n->kid[0];
        return true;
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT && n->n ? n->kid[0] : n;
    if (e->kind == RG_C_INCDEC && e->n == 1) {
        out->op = strchr(e->text, '+') ? "++" : "--";
    } else if (e->kind == RG_C_ASSIGN && e->n == 2) {
        out->op = e->text;
        out->value = e->kid[1];
    } else {
        return false;
    }
    out->target = e->kid[0];
    if (out->target->kind == RG_C_VAR && out->target->array < 0)
        out->var = out->target->var;
    return out->var >= 0 || out->target->kind == RG_C_INDEX;
}

const struct rg_cnode *rg__poly_carried_node(const struct poly_scan *sc, const struct rg_cnode *e, int *which)
{
    for (int i = 0; e && e->kind == RG_C_INDEX && i < sc->n; i++)
        if (sc->at[i].array == e->array && rg__poly_same_expr(e, sc->at[i].in)) {
            *which = i;
            return e;
        }
    return NULL;
}

unsigned rg__poly_scan_mask(const struct poly_scan *sc, const struct rg_cnode *e)
{
    unsigned m = 0;
    int at;
    if (!e)
        return 0;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0)
        m |= sc->depends[e->var];
    if (rg__poly_carried_node(sc, e, &at))
        m |= 1u << at | (sc->at[at].op == POLY_OP_NONE ? sc->at[at].group : 0);
    for (int i = 0; i < e->n; i++)
        m |= rg__poly_scan_mask(sc, e->kid[i]);
    return m;
}

/* ---- what is carried ---- */

static bool add_carried(struct analysis *an, struct poly_carried c)
{
    if (an->sc->n == POLY_MAX_CARRIED)
        return no(an, "loop %s carries more than %d values", loop_name(an), POLY_MAX_CARRIED);
    if (c.type == RG_STRUCT)
        return no(an, "loop %s carries a structure", loop_name(an));
    an->sc->at[an->sc->n++] = c;
    return true;
}

/* The accesses to an array inside the loop. */
static int accesses_of(const struct analysis *an, int array, int *out, int cap)
{
    const struct poly_scop *s = an->s;
    int n = 0;
    for (int i = 0; i < s->n_accesses; i++)
        if (s->accesses[i].array == array && rg__poly_loop_inside(s, s->stmts[s->accesses[i].stmt].loop, an->sc->loop)) {
            if (n == cap)
                return -1;
            out[n++] = i;
        }
    return n;
}

static bool same_place(const struct poly_access *a, const struct poly_access *b)
{
    bool same = a->n_subs == b->n_subs;
    for (int d = 0; d < a->n_subs && same; d++)
        same = rg__poly_linear_equal(&a->sub[d], &b->sub[d]);
    return same;
}

static bool plain_access(const struct poly_access *a)
{
    bool ok = a->affine && !a->whole && !a->member && a->node && a->node->kind == RG_C_INDEX;
    for (int d = 0; d < a->n_subs && ok; d++)
        ok = a->sub[d].ok;
    return ok;
}

/* One element all the time. */
static bool is_element(struct analysis *an, const int *acc, int n)
{
    const struct poly_scop *s = an->s;
    const struct poly_access *first = &s->accesses[acc[0]];
    for (int i = 0; i < n; i++)
        if (!plain_access(&s->accesses[acc[i]]) || !same_place(first, &s->accesses[acc[i]]) || !rg__poly_same_expr(first->node, s->accesses[acc[i]].node))
            return false;
    for (int d = 0; d < first->n_subs; d++)
        for (int t = 0; t < first->sub[d].n; t++)
            for (int l = 0; l < s->n_loops; l++)
                if (s->loops[l].var == first->sub[d].term[t].var && rg__poly_loop_inside(s, l, an->sc->loop))
                    return false;
    return true;
}

static const struct poly_knode *direct_leaf(const struct poly_knode *body, const struct poly_scop *s, int stmt)
{
    for (int i = 0; i < body->n; i++)
        if (body->kid[i]->kind == KN_LEAF && body->kid[i]->node == s->stmts[stmt].node)
            return body->kid[i];
    return NULL;
}

/* Written once in every iteration, at a place that moves; read where the iteration before wrote. */
static bool is_chain(struct analysis *an, const int *acc, int n, struct poly_carried *out)
{
    struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    const struct poly_access *w = NULL;
    int at = -1;
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        if (!a->write)
            continue;
        if (w || !plain_access(a) || !a->certain || s->stmts[a->stmt].loop != l->id || !direct_leaf(an->body, s, a->stmt))
            return false;
        w = a;
        at = acc[i];
    }
    struct poly_set set;
    bool moves = false;
    for (int d = 0; w && d < w->n_subs; d++)
        moves = moves || rg__poly_linear_coef(&w->sub[d], l->var) != 0;
    if (!moves || !rg__poly_set_of(s->stmts[w->stmt].node, &set) || set.var >= 0 || !set.value)
        return false;
    out->in = NULL;
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        bool before = plain_access(a) && a->n_subs == w->n_subs && !a->write;
        if (a->write || (plain_access(a) && same_place(a, w)))
            continue; /* of its own iteration alone */
        for (int d = 0; d < w->n_subs && before; d++)
            before = rg__poly_linear_same_terms(&a->sub[d], &w->sub[d]) && a->sub[d].k == w->sub[d].k - rg__poly_linear_coef(&w->sub[d], l->var) * l->step;
        if (before && (!out->in || rg__poly_same_expr(out->in, a->node))) {
            out->in = a->node;
            out->certain = out->certain || (a->certain && direct_leaf(an->body, s, a->stmt));
        } else if (rg__poly_pair_conflict(s, acc[i], at, l->id)) {
            return false;
        }
    }
    for (int d = 0; out->in && !out->certain && d < w->n_subs; d++)
        if (!s->tree->arrays[w->array].dims[d])
            return false; /* to see whether it exists in front of the first iteration */
    out->kind = POLY_CARRIED_CHAIN;
    out->leaf = s->stmts[w->stmt].node;
    return out->in != NULL;
}

/* ---- compaction: out[k] = e; k += 1; together or not at all ---- */

static bool counts_up(const struct poly_set *set, const struct poly_scan *sc, int which)
{
    const struct poly_carried *c = &sc->at[which];
    bool mine = c->kind == POLY_CARRIED_SCALAR ? set->var == c->var : set->target && rg__poly_same_expr(set->target, c->in);
    bool by = set->value && set->value->kind == RG_C_INT && set->value->ivalue > 0 && set->value->ivalue < 65536;
    return mine && (!strcmp(set->op, "++") || (!strcmp(set->op, "+=") && by));
}

/* The carried counter that the access's first subscript is. */
static int counter_of(const struct poly_scan *sc, const struct rg_cnode *index)
{
    const struct rg_cnode *e = index->n ? index->kid[0] : NULL;
    while (e && e->kind == RG_C_CAST && e->n == 1 && !rg_scalar_is_real(e->type))
        e = e->kid[0];
    int at = -1;
    if (e && rg__poly_carried_node(sc, e, &at))
        return at;
    for (int i = 0; e && e->kind == RG_C_VAR && e->array < 0 && i < sc->n; i++)
        if (sc->at[i].kind == POLY_CARRIED_SCALAR && sc->at[i].var == e->var)
            return i;
    return -1;
}

/* Looks for the list that holds the writes and the counter's one update. */
static bool in_one_list(struct analysis *an, const struct poly_knode *k, int array, int which, int n_writes)
{
    int before = 0, after = 0, updates = 0;
    for (int i = 0; i < k->n; i++) {
        struct poly_set set;
        if (!k->kid[i])
            continue;
        if (k->kid[i]->kind != KN_LEAF) {
            if (k->kid[i]->kind != KN_LOOP && in_one_list(an, k->kid[i], array, which, n_writes))
                return true;
            continue;
        }
        if (!rg__poly_set_of(k->kid[i]->node, &set))
            continue;
        if (counts_up(&set, an->sc, which))
            updates++;
        else if (set.target && set.target->array == array)
            *(updates ? &after : &before) += 1;
    }
    return updates == 1 && (before == n_writes || after == n_writes);
}

static int updates_of(struct analysis *an, int which)
{
    struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    int n = 0;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++) {
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e, s->stmts[i].node);
        const struct poly_carried *c = &an->sc->at[which];
        bool writes = c->var >= 0 && e.written[c->var];
        for (int a = 0; a < s->stmts[i].n_accesses; a++)
            writes = writes || (c->array >= 0 && s->accesses[s->stmts[i].first_access + a].array == c->array && s->accesses[s->stmts[i].first_access + a].write);
        n += writes;
        rg__poly_effect_free(&e);
    }
    return n;
}

/* Iterations that write the array count up, so they write different elements. */
static bool is_compacted(struct analysis *an, int array, const int *acc, int n)
{
    struct poly_scop *s = an->s;
    int which = -1;
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        int w = a->write && !a->read && !a->whole && a->node && a->node->kind == RG_C_INDEX ? counter_of(an->sc, a->node) : -1;
        if (w < 0 || (which >= 0 && w != which))
            return false;
        which = w;
    }
    if (which < 0 || rg_scalar_is_real(an->sc->at[which].type) || updates_of(an, which) != 1 || s->problem->may_alias)
        return false;
    return in_one_list(an, an->body, array, which, n);
}

/* ---- what of the body they need ---- */

static bool writes_wanted(const struct poly_scop *s, const struct rg_cnode *n, const bool *want)
{
    struct poly_effect e = rg__poly_effect_new(s);
    bool any = false;
    rg__poly_effect_add(s, &e, n);
    for (int v = 0; v < s->tree->n_vars; v++)
        any = any || (e.written[v] && want[v]);
    rg__poly_effect_free(&e);
    return any;
}

/* Does the statement update a carried value? */
static bool updates(const struct analysis *an, const struct rg_cnode *n)
{
    struct poly_set set;
    int at;
    bool *want = rg_xcalloc((size_t)an->s->tree->n_vars + 1, 1), any;
    for (int i = 0; i < an->sc->n; i++)
        if (an->sc->at[i].kind == POLY_CARRIED_SCALAR)
            want[an->sc->at[i].var] = true;
    any = writes_wanted(an->s, n, want);
    free(want);
    for (int i = 0; i < an->sc->n; i++)
        any = any || an->sc->at[i].leaf == n;
    return any || (rg__poly_set_of(n, &set) && set.target && rg__poly_carried_node(an->sc, set.target, &at));
}

/* Backward: `want` the scalars needed after; on return, before. */
static struct poly_knode *slice(struct analysis *an, const struct poly_knode *k, bool *want)
{
    struct poly_scop *s = an->s;
    size_t n = (size_t)s->tree->n_vars + 1;
    if (!k)
        return NULL;
    if (k->kind == KN_LEAF) {
        bool plain = k->node->kind == RG_C_DECL && !(k->node->n && k->node->kid[0]);
        if (plain && k->node->array < 0) { /* the name, which is in scope from here on */
            bool needed = want[k->node->var];
            want[k->node->var] = false;
            return needed ? (struct poly_knode *)k : NULL;
        }
        if (!updates(an, k->node) && !writes_wanted(s, k->node, want))
            return NULL;
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e, k->node);
        for (size_t v = 0; v + 1 < n; v++)
            want[v] = (want[v] && !e.defined[v]) || e.exposed[v];
        rg__poly_effect_free(&e);
        return (struct poly_knode *)k;
    }
    if (k->kind == KN_SEQ) {
        struct poly_knode **keep = rg_xcalloc((size_t)k->n + 1, sizeof *keep), *seq = NULL;
        int m = 0;
        for (int i = k->n - 1; i >= 0; i--) {
            struct poly_knode *x = slice(an, k->kid[i], want);
            if (x)
                keep[k->n - ++m] = x;
        }
        if (m)
            seq = rg__poly_knode_seq(an->p, keep + k->n - m, m);
        free(keep);
        return seq;
    }
    bool *other = rg_xmalloc(n);
    memcpy(other, want, n);
    struct poly_knode *a = slice(an, k->kid[0], want), *b = NULL, *x = NULL;
    if (k->kind == KN_LOOP) { /* what one pass needs, an earlier one may have to make */
        for (size_t round = 0; a && round < n; round++) {
            bool same = true;
            for (size_t v = 0; v + 1 < n; v++) {
                same = same && (!want[v] || other[v]);
                want[v] = other[v] = want[v] || other[v];
            }
            if (same)
                break;
            a = slice(an, k->kid[0], want);
        }
    } else if (k->n > 1) {
        b = slice(an, k->kid[1], other);
    }
    for (size_t v = 0; v + 1 < n; v++)
        want[v] = want[v] || other[v];
    free(other);
    if (!a && !b)
        return NULL;
    struct poly_effect e = rg__poly_effect_new(s);
    if (k->kind == KN_IF)
        rg__poly_effect_add(s, &e, k->node->kid[0]);
    else if (k->node->n > 3)
        rg__poly_effect_add(s, &e, k->node->kid[3]);
    for (size_t v = 0; v + 1 < n; v++)
        want[v] = want[v] || e.exposed[v];
    rg__poly_effect_free(&e);
    x = rg__poly_knode_new(an->p, k->kind, k->node, k->kind == KN_IF ? 2 : 1);
    x->loop = k->loop;
    x->kid[0] = a ? a : rg__poly_knode_seq(an->p, NULL, 0);
    if (k->kind == KN_IF)
        x->kid[1] = b;
    return x;
}

/* ---- how they are updated ---- */

/* Is e, whose value depends on carried ones, affine in them? */
static bool affine_in(const struct poly_scan *sc, const struct rg_cnode *e, bool real)
{
    int at;
    if (!rg__poly_scan_mask(sc, e) || rg__poly_carried_node(sc, e, &at))
        return true;
    switch (e->kind) {
    case RG_C_VAR:
        return e->array < 0;
    case RG_C_CAST:
        return e->n == 1 && !e->pointer && rg_scalar_is_real(e->type) == real && rg_scalar_bytes(e->type) >= 4 &&
               (real || rg_scalar_bytes(e->type) <= rg_scalar_bytes(e->kid[0]->type)) && affine_in(sc, e->kid[0], real); /* integers wrap */
    case RG_C_UNARY:
        return strchr("+-", e->text[0]) && affine_in(sc, e->kid[0], real);
    case RG_C_COND:
        return !rg__poly_scan_mask(sc, e->kid[0]) && affine_in(sc, e->kid[1], real) && affine_in(sc, e->kid[2], real);
    case RG_C_BINARY: {
        bool a = rg__poly_scan_mask(sc, e->kid[0]) != 0, b = rg__poly_scan_mask(sc, e->kid[1]) != 0;
        if (!strcmp(e->text, "*"))
            return a != b && affine_in(sc, e->kid[!a], real);
        if (!strcmp(e->text, "/"))
            return real && a && !b && affine_in(sc, e->kid[0], real);
        return (!strcmp(e->text, "+") || !strcmp(e->text, "-")) && affine_in(sc, e->kid[0], real) && affine_in(sc, e->kid[1], real);
    }
    case RG_C_CALL:
        return real && e->n == 3 && e->text && (!strcmp(e->text, "fma") || !strcmp(e->text, "fmaf")) && e->callee < 0 &&
               !(rg__poly_scan_mask(sc, e->kid[0]) && rg__poly_scan_mask(sc, e->kid[1])) && affine_in(sc, e->kid[0], real) &&
               affine_in(sc, e->kid[1], real) && affine_in(sc, e->kid[2], real);
    default:
        return false;
    }
}

int rg__poly_scan_updates(const struct poly_scan *sc, const struct rg_cnode *leaf, const struct poly_set *set)
{
    int at = -1;
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].leaf == leaf || (sc->at[i].kind == POLY_CARRIED_SCALAR && sc->at[i].var == set->var))
            return i;
    if (set->target && rg__poly_carried_node(sc, set->target, &at) && sc->at[at].kind == POLY_CARRIED_ELEMENT)
        return at;
    return -1;
}

/* Of one statement. */
static enum poly_op op_of(const struct analysis *an, const struct rg_cnode *leaf, int which, const struct poly_set *set)
{
    const struct poly_carried *c = &an->sc->at[which];
    int id = rg__poly_stmt_of(an->s, leaf);
    if (c->kind == POLY_CARRIED_CHAIN) {
        if (!strcmp(set->op, "="))
            return rg__poly_update_op(set->value, c->in);
        bool sum = !strcmp(set->op, "+="), whole = rg__poly_same_expr(set->value, c->in);
        enum poly_op op = whole ? POLY_OP_ADD : rg__poly_update_op(set->value, c->in);
        if (!strcmp(set->op, "*=") && whole)
            return POLY_OP_MUL;
        return sum && op == POLY_OP_ADD ? POLY_OP_ADD : POLY_OP_NONE;
    }
    if (id < 0)
        return POLY_OP_NONE;
    const struct poly_stmt *st = &an->s->stmts[id];
    return (c->var >= 0 ? st->red_var == c->var : st->red_array == c->array) ? st->red_op : POLY_OP_NONE;
}

struct pass {
    struct analysis *an;
    bool changed, ok, final;
    const struct rg_cnode *bad;
};

/* Does the update's own value aside, the statement read carried ones? */
static unsigned other_mask(const struct analysis *an, const struct poly_set *set, int which)
{
    unsigned m = rg__poly_scan_mask(an->sc, set->value);
    return which >= 0 ? m & ~(1u << which) : m;
}

static void make_affine(struct pass *ps, int which)
{
    ps->changed = ps->changed || ps->an->sc->at[which].op != POLY_OP_NONE;
    ps->an->sc->at[which].op = POLY_OP_NONE;
}

static void fail(struct pass *ps, const struct rg_cnode *n)
{
    ps->ok = false;
    if (!ps->bad)
        ps->bad = n;
}

static void relate(struct pass *ps, const struct poly_knode *k)
{
    struct poly_scan *sc = ps->an->sc;
    struct poly_set set;
    if (!k)
        return;
    if (k->kind == KN_IF && rg__poly_scan_mask(sc, k->node->kid[0]))
        fail(ps, k->node);
    for (int i = 0; i < k->n; i++)
        relate(ps, k->kid[i]);
    if (k->kind != KN_LEAF || (k->node->kind == RG_C_DECL && !k->node->n))
        return;
    if (!rg__poly_set_of(k->node, &set)) { /* code of its own kind: what it makes of other things may be used */
        if (rg__poly_scan_mask(sc, k->node) || updates(ps->an, k->node))
            fail(ps, k->node);
        return;
    }
    int which = rg__poly_scan_updates(sc, k->node, &set);
    unsigned m = other_mask(ps->an, &set, which);
    for (int i = 0; set.target && i < set.target->n; i++)
        if (rg__poly_scan_mask(sc, set.target->kid[i]))
            fail(ps, k->node);
    for (int i = 0; i < sc->n; i++)
        if (m >> i & 1)
            make_affine(ps, i);
    if (which >= 0) {
        enum poly_op op = m ? POLY_OP_NONE : op_of(ps->an, k->node, which, &set);
        if (op == POLY_OP_NONE || (sc->at[which].op != POLY_OP_NONE && sc->at[which].op != op))
            make_affine(ps, which);
        m = rg__poly_scan_mask(sc, set.value) | 1u << which;
        unsigned whole = sc->at[which].group | m;
        ps->changed = ps->changed || whole != sc->at[which].group;
        sc->at[which].group = whole;
    } else if (m) {
        if (set.var < 0) {
            fail(ps, k->node);
            return;
        }
        ps->changed = ps->changed || (sc->depends[set.var] | m) != sc->depends[set.var];
        sc->depends[set.var] |= m;
    }
    if (!ps->final || (which >= 0 && sc->at[which].op != POLY_OP_NONE) || (which < 0 && !sc->depends[set.var < 0 ? 0 : set.var]))
        return;
    if (which < 0 && set.var < 0)
        return;
    enum rg_scalar type = which >= 0 ? sc->at[which].type : ps->an->s->tree->vars[set.var].type;
    bool real = rg_scalar_is_real(type), by = rg__poly_scan_mask(sc, set.value) != 0;
    if (type == RG_STRUCT || rg_scalar_bytes(type) < 4 || !affine_in(sc, set.value, real))
        fail(ps, k->node);
    if (strcmp(set.op, "=") && strcmp(set.op, "+=") && strcmp(set.op, "-=") && strcmp(set.op, "++") && strcmp(set.op, "--") &&
        (by || !(!strcmp(set.op, "*=") || (real && !strcmp(set.op, "/=")))))
        fail(ps, k->node);
    if (which >= 0 && sc->at[which].kind == POLY_CARRIED_CHAIN && strcmp(set.op, "=") && strcmp(set.op, "+=") && strcmp(set.op, "-="))
        fail(ps, k->node); /* y[i] *= e of the one before: not its own value times it */
}

/* Groups whose values meet are one; all of one kind of numbers. */
static bool settle_groups(struct analysis *an)
{
    struct poly_scan *sc = an->sc;
    for (int round = 0; round < sc->n; round++)
        for (int i = 0; i < sc->n; i++)
            for (int j = 0; j < sc->n; j++)
                if (sc->at[i].group & sc->at[j].group)
                    sc->at[i].group = sc->at[j].group = sc->at[i].group | sc->at[j].group;
    for (int i = 0; i < sc->n; i++) {
        if (sc->at[i].op != POLY_OP_NONE)
            continue;
        sc->ordered = true;
        int members = 0;
        for (int j = 0; j < sc->n; j++)
            if (sc->at[i].group >> j & 1) {
                members++;
                if (rg_scalar_is_real(sc->at[j].type) != rg_scalar_is_real(sc->at[i].type))
                    return no(an, "loop %s mixes integers and reals in what it carries", loop_name(an));
            }
        if (members > 4)
            return no(an, "loop %s carries %d values that depend on each other", loop_name(an), members);
    }
    return true;
}

static bool find_updates(struct analysis *an)
{
    struct poly_scan *sc = an->sc;
    struct pass ps = {.an = an};
    for (int i = 0; i < sc->n; i++) {
        sc->at[i].op = POLY_OP_SAME; /* not known yet */
        sc->at[i].group = 1u << i;
        if (sc->at[i].kind == POLY_CARRIED_SCALAR)
            sc->depends[sc->at[i].var] = 1u << i;
    }
    struct poly_scop *s = an->s;
    for (int i = 0; i < sc->n; i++) { /* the operator that all its updates have */
        enum poly_op op = POLY_OP_SAME;
        const struct poly_loop *l = &s->loops[sc->loop];
        for (int q = l->first_stmt; q < l->first_stmt + l->n_stmts; q++) {
            struct poly_set set;
            if (!rg__poly_set_of(s->stmts[q].node, &set) || rg__poly_scan_updates(sc, s->stmts[q].node, &set) != i)
                continue;
            enum poly_op own = op_of(an, s->stmts[q].node, i, &set);
            op = op == POLY_OP_SAME || op == own ? own : POLY_OP_NONE;
        }
        sc->at[i].op = op == POLY_OP_SAME ? POLY_OP_NONE : op;
    }
    do {
        ps.changed = false;
        ps.ok = true;
        ps.bad = NULL;
        relate(&ps, sc->part);
    } while (ps.changed && ps.ok);
    if (ps.ok && !settle_groups(an))
        return false;
    ps.final = true;
    if (ps.ok)
        relate(&ps, sc->part);
    if (!ps.ok)
        return no(an, "loop %s: line %d depends on what is carried in other ways than x op e or a * x + b", loop_name(an), ps.bad->line);
    int temporaries = 0;
    for (int v = 0; v < s->tree->n_vars; v++)
        temporaries += sc->depends[v] != 0;
    if (temporaries > POLY_MAX_CARRIED + 8)
        return no(an, "loop %s has %d scalars that depend on what is carried", loop_name(an), temporaries);
    /* a scalar that depends on a value depends on all of its group */
    for (int v = 0; v < s->tree->n_vars; v++)
        for (int i = 0; i < sc->n; i++)
            if (sc->depends[v] >> i & 1 && sc->at[i].op == POLY_OP_NONE)
                sc->depends[v] |= sc->at[i].group;
    return true;
}

/* ---- is the part the same when it runs before the rest? ---- */

static bool holds_leaf(const struct poly_knode *k, const struct rg_cnode *node)
{
    if (!k)
        return false;
    if (k->kind == KN_LEAF)
        return k->node == node;
    for (int i = 0; i < k->n; i++)
        if (holds_leaf(k->kid[i], node))
            return true;
    return false;
}

static int place_of(const struct poly_knode *body, const struct rg_cnode *node)
{
    for (int i = 0; i < body->n; i++)
        if (holds_leaf(body->kid[i], node))
            return i;
    return -1;
}

static bool carried_array(const struct poly_scan *sc, const struct poly_access *a)
{
    int at;
    return a->node && rg__poly_carried_node(sc, a->node, &at);
}

static bool part_runs_first(struct analysis *an)
{
    struct poly_scop *s = an->s;
    int kept[256], all[256], n = rg__poly_knode_stmts(s, an->sc->part, kept, 256), m = rg__poly_knode_stmts(s, an->body, all, 256);
    if (n == 256 || m == 256)
        return no(an, "loop %s has too many statements", loop_name(an));
    for (int i = 0; i < n; i++)
        for (int x = 0; x < s->stmts[kept[i]].n_accesses; x++) {
            const struct poly_access *a = &s->accesses[s->stmts[kept[i]].first_access + x];
            bool own = carried_array(an->sc, a);
            for (int c = 0; c < an->sc->n; c++)
                own = own || (an->sc->at[c].leaf == s->stmts[kept[i]].node && an->sc->at[c].array == a->array);
            if (a->write && !own)
                return no(an, "loop %s: line %d writes %s on the way to what is carried", loop_name(an), s->stmts[kept[i]].line, s->tree->arrays[a->array].name);
            if (!a->read || carried_array(an->sc, a))
                continue;
            int here = place_of(an->body, s->stmts[kept[i]].node);
            for (int j = 0; j < m; j++) {
                int there = place_of(an->body, s->stmts[all[j]].node);
                for (int y = 0; y < s->stmts[all[j]].n_accesses; y++) {
                    const struct poly_access *b = &s->accesses[s->stmts[all[j]].first_access + y];
                    bool clash = b->write && b->array == a->array && kept[i] != all[j] &&
                                 (there < here || (there == here && an->body->kid[here]->kind != KN_LEAF));
                    if (clash)
                        return no(an, "loop %s: what is carried needs %s as the iteration itself leaves it", loop_name(an), s->tree->arrays[a->array].name);
                }
            }
        }
    return true;
}

/* ---- all of it ---- */

static bool find_carried(struct analysis *an)
{
    struct poly_scop *s = an->s;
    int acc[64], left[64], n_left = 0;
    for (int v = 0; v < s->tree->n_vars; v++) {
        const struct rg_cvar *c = &s->tree->vars[v];
        if (c->kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, an->sc->loop, v))
            continue;
        if (!add_carried(an, (struct poly_carried){.kind = POLY_CARRIED_SCALAR, .var = v, .array = -1, .type = c->type}))
            return false;
    }
    for (int a = 0; a < s->tree->n_arrays; a++) {
        if (!rg__poly_conflict(s, an->sc->loop, NULL, 0, POLY_ONE_ARRAY + a).found)
            continue;
        struct poly_carried c = {.kind = POLY_CARRIED_ELEMENT, .var = -1, .array = a, .type = s->tree->arrays[a].elem};
        int n = accesses_of(an, a, acc, 64);
        bool apart = !s->problem->may_alias || s->tree->arrays[a].param < 0, element = n > 0 && apart && is_element(an, acc, n);
        if (element)
            c.in = s->accesses[acc[0]].node;
        if (element || (n > 0 && apart && is_chain(an, acc, n, &c))) {
            if (!add_carried(an, c))
                return false;
        } else if (n_left < 64) {
            left[n_left++] = a;
        }
    }
    if (!an->sc->n)
        return n_left ? no(an, "loop %s carries %s in other ways than from one iteration to the next", loop_name(an), s->tree->arrays[left[0]].name)
                      : no(an, "loop %s carries nothing", loop_name(an));
    for (int i = 0; i < n_left; i++) {
        int n = accesses_of(an, left[i], acc, 64);
        if (n <= 0 || !is_compacted(an, left[i], acc, n))
            return no(an, "loop %s carries a dependence on %s as well", loop_name(an), s->tree->arrays[left[i]].name);
    }
    return true;
}

/* Are there statements that the carried values don't need? */
static bool does_more(struct analysis *an)
{
    struct poly_scop *s = an->s;
    int kept[256], all[256], n = rg__poly_knode_stmts(s, an->sc->part, kept, 256), m = rg__poly_knode_stmts(s, an->body, all, 256);
    for (int i = 0; i < an->sc->n; i++)
        if (an->sc->at[i].kind == POLY_CARRIED_CHAIN)
            return true;
    for (int i = 0; i < m; i++) {
        bool in = s->stmts[all[i]].node->kind == RG_C_DECL;
        for (int j = 0; j < n && !in; j++)
            in = kept[j] == all[i];
        if (!in)
            return true;
    }
    return false;
}

const struct poly_scan *rg__poly_scan_of(struct poly_program *p, const struct poly_knode *loop, char *why, size_t size)
{
    struct poly_scop *s = p->scop;
    struct poly_scan *sc = rg_arena_alloc(&p->arena, sizeof *sc);
    struct analysis an = {p, s, loop->kid[0], sc, why, size};
    sc->loop = loop->loop;
    sc->depends = rg_arena_alloc(&p->arena, sizeof *sc->depends * ((size_t)s->tree->n_vars + 1));
    if (loop->node->n != 3) {
        no(&an, "loop %s ends by its data", loop_name(&an));
        return NULL;
    }
    if (!find_carried(&an))
        return NULL;
    bool *want = rg_xcalloc((size_t)s->tree->n_vars + 1, 1);
    sc->part = slice(&an, loop->kid[0], want);
    free(want);
    if (!sc->part) {
        no(&an, "loop %s updates nothing that it carries", loop_name(&an));
        return NULL;
    }
    if (!find_updates(&an) || !part_runs_first(&an))
        return NULL;
    sc->applied = does_more(&an);
    if (!sc->applied && !sc->ordered) {
        no(&an, "loop %s keeps only the last value of %s: reduce.block is the step for it", loop_name(&an), name_of(&an, &sc->at[0]));
        return NULL;
    }
    return sc;
}

const struct poly_scan *rg__poly_scan_in(const struct poly_kernel *k, int loop)
{
    for (int i = 0; i < k->n_scans; i++)
        if (k->scans[i]->loop == loop)
            return k->scans[i];
    return NULL;
}
