/* Order-free stores. Iterations that store one value V to elements, under conditions, leave the same behind in any
 * order where each condition on an element is one of these:
 *   - it comes out the same for V and for every value that V may take the place of (`level[u] == d`, where d + 1 takes
 *     the place of values below 0);
 *   - it is asked of the very element that is stored to: whoever asks too late finds V there already, and nothing but
 *     stores that the first one has made as well hangs on it (flags, other elements at the same subscripts).
 * So do minima, `if (v < a[p]) a[p] = v`, of values that come from elsewhere, and maxima. */
#include "frontend/normalise/scattered_stores_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool stores_to(const struct rg__effect *e, int array)
{
    return e->to && e->to->kind == RG_C_INDEX && e->to->array == array;
}

static bool by_iterator(const struct rg__scatter *s, const struct rg_cnode *x, int d, int iterator)
{
    const struct rg_cnode *sub = d < x->n ? rg__scatter_resolve(s, x->kid[d]) : NULL;
    return sub && sub->kind == RG_C_VAR && sub->array < 0 && sub->var == iterator;
}

/* The loop that is all of this one's body; NULL. */
static const struct rg_cnode *only_loop(const struct rg_cnode *l)
{
    const struct rg_cnode *b = l->kid[2];
    return b->kind == RG_C_BLOCK && b->n == 1 && b->kid[0]->kind == RG_C_LOOP && b->kid[0]->n == 3 ? b->kid[0] : NULL;
}

/* Has it a dimension of which each iteration of the loop has one place? */
static bool held_in(const struct rg__scatter *s, const struct rg_cnode *x, int iterator)
{
    for (int d = 0; d < x->n; d++) {
        bool is = by_iterator(s, x, d, iterator);
        for (int i = 0; i < s->n_effects && is; i++)
            if (stores_to(&s->effect[i], x->array)) is = by_iterator(s, s->effect[i].to, d, iterator);
        if (is) return true;
    }
    return false;
}

/* Is the place one that dependence tests know nothing of: a quotient or a remainder by what is no number, a choice? */
static bool beyond_tests(const struct rg__scatter *s, const struct rg_cnode *e, int depth)
{
    e = rg__scatter_resolve(s, e);
    if (depth > 12 || e->kind == RG_C_COND) return true;
    if ((e->op == RG_COP_DIV || e->op == RG_COP_REM) && rg__scatter_resolve(s, e->kid[1])->kind != RG_C_INT)
        return true;
    for (int i = 0; i < e->n; i++)
        if (beyond_tests(s, e->kid[i], depth + 1)) return true;
    return false;
}

bool rg__scatter_held(const struct rg__scatter *s, const struct rg_cnode *x)
{
    const struct rg_cnode *first = NULL, *l = s->loop;
    bool equal = true, held = held_in(s, x, l->var);
    while (held && s->assume && (l = only_loop(l))) held = held_in(s, x, l->var); /* of the nest: all at once */
    if (held) return true;
    for (int i = 0; i < s->n_effects && equal; i++) {
        if (!stores_to(&s->effect[i], x->array)) continue;
        first = s->effect[i].to;
        equal = rg__scatter_one_place(s, x, first);
    }
    return first && equal && !rg__scatter_led(s, first) && !beyond_tests(s, first, 0); /* these know better */
}

/* Are all its elements, those that are stored to and those that are read? */
static bool all_held(const struct rg__scatter *s, int array)
{
    for (int i = 0; i < s->n_effects; i++)
        if (stores_to(&s->effect[i], array) && !rg__scatter_held(s, s->effect[i].to)) return false;
    for (int i = 0; i < s->n_reads; i++)
        if (s->read[i].node->array == array && !rg__scatter_held(s, s->read[i].node)) return false;
    return true;
}

/* Every fact of x is one of y's, at the same evaluation of it. */
static bool whenever(const struct rg__effect *x, const struct rg__effect *y)
{
    if (x->loop != y->loop) return false;
    for (int i = 0; i < x->n; i++) {
        bool found = false;
        for (int k = 0; k < y->n && !found; k++)
            found = x->facts[i].c == y->facts[k].c && x->facts[i].holds == y->facts[k].holds;
        if (!found) return false;
    }
    return true;
}

/* May the store change how the read comes out in another iteration? */
static bool moves(const struct rg__scatter *s, const struct rg__effect *e, const struct rg__element *x)
{
    return stores_to(e, x->node->array) && !rg__scatter_held(s, x->node) && !rg__scatter_unmoved(s, x, e);
}

static bool moves_fact(const struct rg__scatter *s, const struct rg__effect *e, const struct rg__holds *f)
{
    for (int i = f->first_read; i < f->first_read + f->n_reads; i++)
        if (moves(s, e, &s->read[i])) return true;
    return false;
}

static bool settled(const struct rg__scatter *s, const struct rg__holds *f)
{
    for (int i = 0; i < s->n_effects; i++)
        if (moves_fact(s, &s->effect[i], f)) return false;
    return true;
}

/* `v < a[p]` where `a[p] = v` stands behind it, or > : LESS, MORE. */
static enum rg__scattered extreme(const struct rg__scatter *s, const struct rg__holds *f, const struct rg__effect *e)
{
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *x, *k;
        enum rg_c_op op;
        if (!rg__scatter_asked(s, f->c, &x, &op, &k, side) || x->array != e->to->array ||
            !rg__scatter_one_place(s, x, e->to) || !rg__scatter_same(s, k, e->value) ||
            !rg__scatter_steady(s, k, false) || op == RG_COP_EQ || op == RG_COP_NE)
            continue;
        if (!f->holds && rg_scalar_is_real(x->type)) continue;
        if (!f->holds) op = rg_c_opposite(op);
        return op == RG_COP_GT || op == RG_COP_GE ? RG__SCATTER_LESS : RG__SCATTER_MORE;
    }
    return RG__SCATTER_NONE;
}

static void classify(struct rg__scatter *s, int array)
{
    const struct rg__effect *first = NULL;
    enum rg__scattered kind = RG__SCATTER_NONE;
    if (s->updated[array] || s->t->arrays[array].elem == RG_STRUCT) return;
    bool one = true, extremes = true;
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *e = &s->effect[i];
        if (!stores_to(e, array)) continue;
        if (!first) first = e;
        one = one && rg__scatter_steady(s, e->value, true) && rg__scatter_same(s, e->value, first->value);
        enum rg__scattered own = RG__SCATTER_NONE;
        for (int k = 0; k < e->n && !own; k++) own = extreme(s, &e->facts[k], e);
        extremes = extremes && own && (e == first || own == kind);
        kind = own;
    }
    s->kind[array] = one ? RG__SCATTER_ONE : extremes ? kind : RG__SCATTER_NONE;
}

/* Asks of the element that is stored to, and of nothing else that changes. */
static bool own(const struct rg__scatter *s, const struct rg__holds *f, const struct rg__effect *e)
{
    if (s->kind[e->to->array] != RG__SCATTER_ONE) return extreme(s, f, e) == s->kind[e->to->array];
    bool is = f->n_reads > 0;
    for (int i = f->first_read; i < f->first_read + f->n_reads && is; i++) {
        const struct rg__element *x = &s->read[i];
        if (!s->written[x->node->array]) continue;
        is = x->node->array == e->to->array && x->compared && rg__scatter_one_place(s, x->node, e->to) &&
             rg__scatter_steady(s, x->with ? x->with : &rg__scatter_nought, true);
    }
    return is;
}

/* It asks of elements whose every store has, beside it, one like e: to the same array at its place, or the same
 * scalar, of the same value. */
static bool accompanied(const struct rg__scatter *s, const struct rg__holds *f, const struct rg__effect *e)
{
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *by = &s->effect[i];
        if (!moves_fact(s, by, f)) continue;
        bool found = false;
        for (int k = 0; k < s->n_effects && !found; k++) {
            const struct rg__effect *x = &s->effect[k];
            found = x->to && x->to->kind == e->to->kind && x->to->array == e->to->array && x->to->var == e->to->var &&
                    whenever(x, by) && (e->to->kind != RG_C_INDEX || rg__scatter_one_place(s, x->to, by->to));
        }
        if (!found) return false;
    }
    if (e->to->kind != RG_C_INDEX) return true;
    for (int i = f->first_read; i < f->first_read + f->n_reads; i++) /* whoever asks has one place with it in mind */
        if (s->written[s->read[i].node->array] && !rg__scatter_one_place(s, s->read[i].node, e->to)) return false;
    return true;
}

static bool same_facts(const struct rg__effect *a, const struct rg__effect *b)
{
    return whenever(a, b) && whenever(b, a);
}

/* All that is added to the scalar is one number. */
static bool steps_alike(const struct rg__scatter *s, int var)
{
    const struct rg_cnode *first = NULL;
    double k;
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *e = &s->effect[i];
        if (!e->to || e->to->kind != RG_C_VAR || e->to->var != var) continue;
        const struct rg_cnode *x = e->stmt->kid[0];
        if (x->kind == RG_C_ASSIGN && (!rg__scatter_number(x->kid[1], &k) || k != floor(k))) return false;
        if (first && (first->op != x->op || (x->kind == RG_C_ASSIGN && !rg__scatter_same(s, first->kid[1], x->kid[1]))))
            return false;
        first = x;
    }
    return first && rg__scalar_is_int(s->t->vars[var].type);
}

/* `count += k` where elements change, each once: what changed can be counted behind the loop. */
static bool once_each(struct rg__scatter *s, int var)
{
    int array = -1, n_sums = 0, n_stores = 0;
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *e = &s->effect[i];
        bool sum = e->to && e->to->kind == RG_C_VAR && e->to->var == var;
        n_sums += sum;
        for (int k = 0; k < e->n && sum; k++)
            for (int r = 0; r < e->facts[k].n_reads; r++) {
                int a = s->read[e->facts[k].first_read + r].node->array;
                if (!s->written[a] || settled(s, &e->facts[k])) continue;
                if (array >= 0 && array != a) return false;
                array = a;
            }
    }
    if (array < 0 || !steps_alike(s, var) || s->kind[array] != RG__SCATTER_ONE ||
        !rg__scalar_is_int(s->t->arrays[array].elem))
        return false;
    struct rg__range *r = rg_xcalloc(1, sizeof *r);
    rg__range_init(r, s->t, s->given);
    for (int i = 0; i < s->n_around; i++) r->loops[r->n_loops++] = s->around[i];
    bool ok = true;
    for (int i = 0; i < s->n_effects && ok; i++) {
        const struct rg__effect *e = &s->effect[i];
        if (!stores_to(e, array)) continue;
        n_stores++;
        int beside = 0;
        for (int k = 0; k < s->n_effects; k++) {
            const struct rg__effect *x = &s->effect[k];
            beside += x->to && x->to->kind == RG_C_VAR && x->to->var == var && same_facts(x, e);
        }
        struct rg__limits l = rg__scatter_limits(s, e);
        const struct rg_cnode *value = rg__scatter_resolve(s, e->value);
        rg__scatter_know(s, r, value);
        bool changes = false; /* what is stored is none of what it takes the place of */
        for (int k = 0; k < l.n && !changes; k++) {
            rg__scatter_know(s, r, l.k[k]);
            struct rg__poly v = rg__poly_of(r, value), b = rg__poly_of(r, rg__scatter_resolve(s, l.k[k]));
            changes = rg__range_decide(r, l.op[k], &v, &b) == 0;
        }
        for (int k = 0; k < e->n; k++) ok = ok && (settled(s, &e->facts[k]) || own(s, &e->facts[k], e));
        ok = ok && beside == 1 && changes && rg__scatter_fits(s, e);
    }
    free(r);
    s->counted_in[var] = array;
    return ok && n_sums == n_stores;
}

static bool effect_proven(struct rg__scatter *s, const struct rg__effect *e)
{
    const bool scalar = e->to && e->to->kind == RG_C_VAR;
    for (int i = 0; i < e->n; i++) {
        const struct rg__holds *f = &e->facts[i];
        if (settled(s, f)) continue;
        if (!e->to) return s->why = "what an iteration does next hangs on what others have stored", false;
        if (scalar && !e->value && !s->flag[e->to->var]) {
            if (!s->counted[e->to->var] && !once_each(s, e->to->var))
                return s->why = "a sum hangs on what others have stored", false;
            s->counted[e->to->var] = true;
            continue;
        }
        if (scalar && accompanied(s, f, e)) continue;
        if (!scalar && s->kind[e->to->array] != RG__SCATTER_NONE &&
            (own(s, f, e) || (s->kind[e->to->array] == RG__SCATTER_ONE && accompanied(s, f, e))))
            continue;
        return s->why = "a condition may come out otherwise once others have stored", false;
    }
    return true;
}

bool rg__scatter_proven(struct rg__scatter *s)
{
    for (int v = 0; v < s->n_vars && !s->why; v++)
        if (s->left[v]) s->why = "a scalar gets what an iteration computes, or is read while it is set";
    for (int a = 0; a < s->n_arrays && !s->why; a++) {
        if (!s->written[a] || all_held(s, a)) continue;
        classify(s, a);
        if (s->kind[a] == RG__SCATTER_NONE && !s->updated[a]) s->why = "what is stored last counts";
    }
    for (int i = 0; i < s->n_reads && !s->why; i++) {
        const struct rg__element *x = &s->read[i];
        const int a = x->node->array;
        if (!s->written[a] || rg__scatter_held(s, x->node)) continue;
        if (s->updated[a]) s->why = "a sum is read while it grows";
        for (int k = 0; k < s->n_effects && !x->in_fact && !s->why; k++)
            if (moves(s, &s->effect[k], x)) s->why = "a value hangs on what others have stored";
    }
    for (int i = 0; i < s->n_effects && !s->why; i++) {
        const struct rg__effect *e = &s->effect[i];
        for (int k = 0; k < i && e->to && e->to->kind == RG_C_VAR && !s->flag[e->to->var] && !s->why; k++) {
            const struct rg__effect *x = &s->effect[k];
            if (x->to && x->to->kind == RG_C_VAR && x->to->var == e->to->var &&
                (!x->value != !e->value || (x->value && !rg__scatter_same(s, x->value, e->value))))
                s->why = "a scalar gets more than one value";
        }
        if (!s->why) effect_proven(s, e);
    }
    return !s->why;
}

static const struct rg_cnode *loop_of(const struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_LOOP && n->var == var) return n;
    const struct rg_cnode *l = NULL;
    for (int i = 0; i < n->n && !l; i++) l = loop_of(n->kid[i], var);
    return l;
}

/* Does the expression, with what locals stand for and what elements of other arrays say, go by the iterator? */
static bool goes_by(const struct rg__scatter *s, const struct rg_cnode *e, int depth)
{
    e = rg__scatter_resolve(s, e);
    if (depth > 12) return false;
    if (e->kind == RG_C_VAR && e->array < 0) { /* of a loop inside: by its bounds */
        const struct rg_cnode *l = e->var == s->loop->var ? NULL : loop_of(s->loop->kid[2], e->var);
        return e->var == s->loop->var || (l && (goes_by(s, l->kid[0], depth + 1) || goes_by(s, l->kid[1], depth + 1)));
    }
    for (int i = 0; i < e->n; i++)
        if (goes_by(s, e->kid[i], depth + 1)) return true;
    return false;
}

/* May the read be of an element that another iteration stores to, as far as their places say? Those of one array in
 * strides of one loop may miss one another. */
static bool crosses(const struct rg__scatter *s, const struct rg_cnode *read, const struct rg_cnode *to)
{
    struct rg__range *r = rg_xcalloc(1, sizeof *r);
    rg__range_init(r, s->t, s->given);
    bool may = read->n == to->n, elsewhere = false;
    for (int d = 0; d < to->n && may; d++) {
        struct rg__poly a = rg__poly_of(r, rg__scatter_resolve(s, read->kid[d])),
                        b = rg__poly_of(r, rg__scatter_resolve(s, to->kid[d])), by = rg__poly_add(&a, &b, -1), coef,
                        rest;
        int64_t apart, stride = 1;
        if (!rg__poly_is_int(&by, &apart)) {
            elsewhere = true;
            continue;
        }
        for (const struct rg_cnode *l = s->loop; l; l = only_loop(l))
            if (rg__poly_split(&b, l->var, &coef, &rest) && rg__poly_is_int(&coef, &stride) && stride)
                may = may && apart % (stride * l->step) == 0;
        elsewhere = elsewhere || apart;
    }
    free(r);
    return may && elsewhere;
}

bool rg__scatter_assumable(struct rg__scatter *s)
{
    bool any = false;
    s->why = NULL;
    s->assume = true;
    for (int a = 0; a < s->n_arrays; a++) {
        s->kind[a] = RG__SCATTER_NONE;
        if (!s->written[a] || all_held(s, a)) continue;
        classify(s, a);
        if (s->t->arrays[a].elem == RG_STRUCT) return false;
        for (int i = 0; i < s->n_effects; i++) {
            const struct rg__effect *e = &s->effect[i];
            if (!stores_to(e, a)) continue;
            bool moved = false; /* with the iterations: else they are rounds, not parts of one */
            for (int d = 0; d < e->to->n; d++) moved = moved || goes_by(s, e->to->kid[d], 0);
            if (!moved) return false;
            if (s->kind[a] == RG__SCATTER_NONE && !s->updated[a] && !rg__scatter_held(s, e->to)) return false;
            for (int k = 0; k < s->n_reads; k++) {
                const struct rg_cnode *x = s->read[k].node;
                if (x->array != a || rg__scatter_held(s, x)) continue;
                if (s->updated[a] && !rg__scatter_held(s, e->to)) return false;
                any = any || rg__scatter_led(s, x) || rg__scatter_led(s, e->to) || crosses(s, x, e->to);
            }
        }
    }
    for (int v = 0; v < s->n_vars; v++) s->counted[v] = false;
    return any;
}
