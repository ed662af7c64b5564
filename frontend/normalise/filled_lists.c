/* Lists in scratch memory: every iteration appends to an array from its beginning on (list[n++] = x) and reads only
 * what is on the list (queues, stacks that are gone through, paths). A walk through the code keeps inequalities between
 * scalars; a read must lie between 0 and the list's length by them. */
#include "frontend/normalise/filled_first.h"
#include <stdlib.h>
#include <string.h>

struct list {
    struct rg_ctree *t;
    int array, length; /* the local that counts the list's elements; -1: not found yet */
    struct rg__range *r;
    bool begun; /* the length has been set to 0, outside of loops and branches */
    int depth;  /* loops and branches around */
    bool failed;
};

/* ---- what appends ---- */

static const struct rg_cnode *assignment(const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return a && (a->kind == RG_C_ASSIGN || a->kind == RG_C_INCDEC) ? a : NULL;
}

static bool is_scalar(const struct rg_cnode *n)
{
    return n->kind == RG_C_VAR && n->array < 0 && !n->pointer;
}

static bool is_literal(const struct rg_cnode *e, int64_t *v)
{
    bool minus = e->kind == RG_C_UNARY && e->op == RG_COP_NEG;
    e = rg__c_uncast(minus ? e->kid[0] : e, RG__C_INT_CASTS);
    *v = minus ? -e->ivalue : e->ivalue;
    return e->kind == RG_C_INT;
}

/* v += by of a scalar, by a number. */
static bool steps(const struct rg_cnode *a, int *var, int64_t *by)
{
    if (!a || !is_scalar(a->kid[0])) return false;
    *var = a->kid[0]->var;
    if (a->kind == RG_C_INCDEC) {
        *by = rg_c_increments(a->op) ? 1 : -1;
        return true;
    }
    if ((a->op != RG_COP_ADD_SET && a->op != RG_COP_SUB_SET) || !is_literal(a->kid[1], by)) return false;
    if (a->op == RG_COP_SUB_SET) *by = -*by;
    return true;
}

static const struct rg_cnode *stored(const struct list *l, const struct rg_cnode *s)
{
    const struct rg_cnode *a = assignment(s);
    bool is = a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_INDEX && a->kid[0]->array == l->array &&
              a->kid[0]->n == 1 && !a->kid[0]->pointer;
    return is ? a : NULL;
}

/* list[v] = x; v += 1: the first that is found says which local it is. */
static void find_length(struct list *l, const struct rg_cnode *n)
{
    for (int i = 0; n && i < n->n && l->length < 0; i++) {
        const struct rg_cnode *s = n->kid[i], *a = s && n->kind == RG_C_BLOCK ? stored(l, s) : NULL;
        int64_t by;
        int var;
        if (a && i + 1 < n->n && steps(assignment(n->kid[i + 1]), &var, &by) && by == 1)
            l->length = var;
        else if (s)
            find_length(l, s);
    }
}

/* ---- inequalities ---- */

static bool has_atoms(const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++)
            if (p->terms[i].var[k] >= RG__ATOM) return true;
    return false;
}

static void say(struct list *l, const struct rg__poly *p)
{
    if (!p->bad && !has_atoms(p) && l->r->n_facts < RG__MAX_FACTS) l->r->facts[l->r->n_facts++] = *p;
}

/* a - b >= less */
static void say_above(struct list *l, const struct rg__poly *a, const struct rg__poly *b, int64_t less)
{
    struct rg__poly d = rg__poly_add(a, b, -1), by = rg__poly_int(less);
    d = rg__poly_add(&d, &by, -1);
    say(l, &d);
}

/* Without conversions that keep the value: of integers, to one as wide, and of what may be negative to one with a sign
 * alone. */
static struct rg_cnode *plain(struct list *l, const struct rg_cnode *e)
{
    struct rg_cnode *c = rg__c_copy(l->t, e);
    for (int i = 0; i < c->n; i++)
        if (c->kind != RG_C_INDEX) c->kid[i] = plain(l, c->kid[i]);
    bool cast = c->kind == RG_C_CAST && !c->pointer && rg__scalar_is_int(c->type) &&
                rg__scalar_is_int(c->kid[0]->type) && c->type != RG_BOOL &&
                rg_scalar_bytes(c->type) >= rg_scalar_bytes(c->kid[0]->type);
    if (!cast) return c;
    struct rg__poly p = rg__poly_of(l->r, c->kid[0]);
    bool keeps = rg_scalar_is_signed(c->type) == rg_scalar_is_signed(c->kid[0]->type) ||
                 (rg_scalar_is_signed(c->type) && rg_scalar_bytes(c->type) > rg_scalar_bytes(c->kid[0]->type)) ||
                 (!p.bad && !has_atoms(&p) && rg__prove(l->r, &p));
    return keeps ? c->kid[0] : c;
}

static void assume(struct list *l, const struct rg_cnode *condition, bool holds)
{
    int from = l->r->n_facts, n = from;
    rg__range_assume(l->r, plain(l, condition), holds);
    for (int i = from; i < l->r->n_facts; i++)
        if (!has_atoms(&l->r->facts[i])) l->r->facts[n++] = l->r->facts[i];
    l->r->n_facts = n;
}

static void forget_var(struct list *l, int var)
{
    int n = 0;
    for (int i = 0; i < l->r->n_facts; i++)
        if (!rg__poly_mentions(&l->r->facts[i], var)) l->r->facts[n++] = l->r->facts[i];
    l->r->n_facts = n;
}

/* p of v as it was, v having moved on by `by`. False: it can't be said. */
static bool moved(struct rg__poly *p, int var, int64_t by)
{
    struct rg__poly coef, rest, step = rg__poly_int(by);
    if (!rg__poly_mentions(p, var)) return true;
    if (!rg__poly_split(p, var, &coef, &rest) || rg__poly_mentions(&coef, var)) return false;
    struct rg__poly back = rg__poly_mul(&coef, &step);
    *p = rg__poly_add(p, &back, -1);
    return !p->bad;
}

static void step_var(struct list *l, int var, int64_t by)
{
    int n = 0;
    for (int i = 0; i < l->r->n_facts; i++) {
        struct rg__poly p = l->r->facts[i];
        if (moved(&p, var, by)) l->r->facts[n++] = p;
    }
    l->r->n_facts = n;
}

static void set_var(struct list *l, int var, const struct rg_cnode *value)
{
    const struct rg_cvar *v = &l->t->vars[var];
    bool whole = value && rg__scalar_is_int(v->type) && rg__scalar_is_int(value->type) &&
                 rg_scalar_bytes(v->type) >= rg_scalar_bytes(value->type) && !rg__c_mentions_var(value, var);
    struct rg__poly is = whole ? rg__poly_of(l->r, plain(l, value)) : rg__poly_int(0), own = rg__poly_var(var);
    forget_var(l, var);
    if (!whole || is.bad) return;
    say_above(l, &own, &is, 0);
    say_above(l, &is, &own, 0);
}

/* Which way the code moves the scalar: 1 up, -1 down, by numbers; 0 not at all; 2 in other ways. */
static int direction(const struct rg_cnode *n, int var)
{
    int way = 0, of;
    int64_t by;
    if (!n) return 0;
    if (n->kind == RG_C_VERBATIM || (n->op == RG_COP_ADDRESS && rg__c_mentions_var(n, var))) return 2;
    if ((n->kind == RG_C_DECL && n->array < 0 && n->var == var) || (n->kind == RG_C_LOOP && n->var == var)) return 2;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        if (steps(n, &of, &by) && of == var)
            way = by > 0 ? 1 : -1;
        else if (is_scalar(n->kid[0]) && n->kid[0]->var == var)
            return 2;
    }
    for (int i = 0; i < n->n; i++) {
        int k = direction(n->kid[i], var);
        if (k && way && k != way) return 2;
        if (k) way = k;
    }
    return way;
}

/* Does the inequality hold at every place of code that holds it in front? Where a scalar moves up, more of it does no
 * harm. */
static bool lasts(const struct list *l, const struct rg__poly *p, const struct rg_cnode *code)
{
    for (int v = 0; v < l->t->n_vars; v++) {
        struct rg__poly coef, rest;
        int64_t by;
        int way = rg__poly_mentions(p, v) ? direction(code, v) : 0;
        if (!way) continue;
        if (way == 2 || !rg__poly_split(p, v, &coef, &rest) || !rg__poly_is_int(&coef, &by) || by * way < 0)
            return false;
    }
    return true;
}

static void keep_lasting(struct list *l, const struct rg_cnode *code)
{
    int n = 0;
    for (int i = 0; i < l->r->n_facts; i++)
        if (lasts(l, &l->r->facts[i], code)) l->r->facts[n++] = l->r->facts[i];
    l->r->n_facts = n;
}

/* ---- the walk ---- */

static void reads(struct list *l, const struct rg_cnode *e)
{
    if (!e || l->failed) return;
    if (e->kind == RG_C_VERBATIM) l->failed = true;
    bool own = (e->kind == RG_C_VAR || e->kind == RG_C_INDEX) && e->array == l->array;
    if (own && (e->kind != RG_C_INDEX || e->pointer || e->n != 1 || !l->begun)) l->failed = true;
    for (int i = 0; i < e->n; i++) reads(l, e->kid[i]);
    if (!own || l->failed) return;
    struct rg__poly at = rg__poly_of(l->r, e->kid[0]), end = rg__poly_var(l->length), one = rg__poly_int(1);
    end = rg__poly_add(&end, &at, -1);
    end = rg__poly_add(&end, &one, -1);
    l->failed = at.bad || !rg__prove(l->r, &at) || !rg__prove(l->r, &end);
}

static bool sets_inside(const struct rg_cnode *e)
{
    return rg__mentions_kind(e, RG_C_ASSIGN) || rg__mentions_kind(e, RG_C_INCDEC);
}

static void statement(struct list *l, const struct rg_cnode *s);

static void append(struct list *l, const struct rg_cnode *a, const struct rg_cnode *next)
{
    int64_t by;
    int var;
    struct rg__poly at = rg__poly_of(l->r, a->kid[0]->kid[0]), length = rg__poly_var(l->length);
    struct rg__poly above = rg__poly_add(&at, &length, -1), below = rg__poly_add(&length, &at, -1);
    reads(l, a->kid[0]->kid[0]);
    reads(l, a->kid[1]);
    bool at_end = !at.bad && rg__prove(l->r, &above) && rg__prove(l->r, &below);
    bool counts = next && steps(assignment(next), &var, &by) && var == l->length && by == 1;
    l->failed = l->failed || !l->begun || !at_end || !counts;
}

/* Only `list[n] = x; n += 1` moves the length, from 0 on. */
static void scalar(struct list *l, int var, const struct rg_cnode *a, bool appended)
{
    int64_t by, zero;
    int of;
    if (steps(a, &of, &by)) {
        l->failed = l->failed || (var == l->length && !appended);
        step_var(l, var, by);
        return;
    }
    const struct rg_cnode *value = a->op == RG_COP_SET ? a->kid[1] : NULL;
    if (var == l->length) {
        l->failed = l->failed || l->begun || l->depth || !value || !is_literal(value, &zero) || zero;
        l->begun = true;
    }
    set_var(l, var, value);
}

static void block(struct list *l, const struct rg_cnode *b)
{
    for (int i = 0; i < b->n && !l->failed; i++) {
        const struct rg_cnode *a = b->kid[i] ? stored(l, b->kid[i]) : NULL, *step;
        if (!a) {
            if (b->kid[i]) statement(l, b->kid[i]);
            continue;
        }
        append(l, a, i + 1 < b->n ? b->kid[i + 1] : NULL);
        step = l->failed ? NULL : assignment(b->kid[++i]);
        if (step) scalar(l, l->length, step, true);
    }
}

/* `go_on = h + 1 < n` at the end of each iteration, with the loop's variable one further then; at first as its bounds
 * say. */
static void flagged(struct list *l, const struct rg_cnode *loop, const struct rg__range *entry)
{
    const struct rg_cnode *flag = loop->kid[3], *body = loop->kid[2];
    const struct rg_cnode *last = body->kind == RG_C_BLOCK && body->n ? body->kid[body->n - 1] : NULL;
    const struct rg_cnode *a = last ? assignment(last) : NULL;
    if (!is_scalar(flag) || !a || a->op != RG_COP_SET || !is_scalar(a->kid[0]) || a->kid[0]->var != flag->var) return;
    for (int i = 0; i + 1 < body->n; i++)
        if (rg__c_writes_var(body->kid[i], flag->var)) return;
    if (rg__continues_loop(body)) return;
    struct rg__range *at_first = rg_xmalloc(sizeof *at_first);
    int from = l->r->n_facts;
    assume(l, a->kid[1], true);
    int end = l->r->n_facts;
    l->r->n_facts = from;
    for (int i = from; i < end; i++) {
        struct rg__poly p = l->r->facts[i], coef, rest, low, start;
        if (!moved(&p, loop->var, loop->step)) continue;
        *at_first = *entry;
        low = rg__poly_of(at_first, loop->kid[0]);
        start = p;
        if (rg__poly_mentions(&p, loop->var)) {
            if (low.bad || !rg__poly_split(&p, loop->var, &coef, &rest)) continue;
            struct rg__poly first = rg__poly_mul(&coef, &low);
            start = rg__poly_add(&rest, &first, 1);
        }
        if (!start.bad && rg__prove(at_first, &start)) l->r->facts[l->r->n_facts++] = p;
    }
    free(at_first);
}

static void loop(struct list *l, const struct rg_cnode *s)
{
    struct rg__range *entry = rg_xmalloc(sizeof *entry);
    const bool counted = s->kind == RG_C_LOOP;
    const struct rg_cnode *body = counted                 ? s->kid[2]
                                  : s->kind == RG_C_FOR   ? s->kid[3]
                                  : s->kind == RG_C_WHILE ? s->kid[1]
                                                          : s->kid[0];
    if (s->kind == RG_C_FOR && s->kid[0]) statement(l, s->kid[0]);
    for (int i = 0; i < s->n; i++)
        if (s->kid[i] != body && rg__c_is_expr(s->kid[i])) reads(l, s->kid[i]);
    *entry = *l->r;
    keep_lasting(l, s);
    if (counted) {
        struct rg__poly low = rg__poly_of(l->r, s->kid[0]), end = rg__poly_of(l->r, s->kid[1]),
                        at = rg__poly_var(s->var);
        bool up = s->step > 0;
        struct rg__poly first = up ? rg__poly_add(&at, &low, -1) : rg__poly_add(&low, &at, -1);
        struct rg__poly last = up ? rg__poly_add(&end, &at, -1) : rg__poly_add(&at, &end, -1), one = rg__poly_int(1);
        last = rg__poly_add(&last, &one, -1);
        if (!low.bad && lasts(l, &low, body)) say(l, &first);
        if (!end.bad && lasts(l, &last, body)) say(l, &last);
        if (s->n > 3) flagged(l, s, entry);
    } else if (s->kind != RG_C_DO) {
        const struct rg_cnode *condition = s->kid[s->kind == RG_C_FOR ? 1 : 0];
        if (condition) assume(l, condition, true);
    }
    l->depth++;
    statement(l, body);
    l->depth--;
    if (s->kind == RG_C_FOR && s->kid[2] && !rg__c_is_expr(s->kid[2])) statement(l, s->kid[2]);
    /* what holds wherever it ends */
    memcpy(l->r->facts, entry->facts, (size_t)entry->n_facts * sizeof *entry->facts);
    l->r->n_facts = entry->n_facts;
    keep_lasting(l, s);
    free(entry);
}

static void statement(struct list *l, const struct rg_cnode *s)
{
    if (l->failed) return;
    switch (s->kind) {
    case RG_C_BLOCK:
        block(l, s);
        return;
    case RG_C_OPAQUE:
        statement(l, s->kid[0]);
        return;
    case RG_C_LOOP:
    case RG_C_FOR:
    case RG_C_WHILE:
    case RG_C_DO:
        loop(l, s);
        return;
    case RG_C_IF: {
        struct rg__range *before = rg_xmalloc(sizeof *before);
        reads(l, s->kid[0]);
        *before = *l->r;
        for (int i = 1; i < s->n && !l->failed; i++) {
            if (!s->kid[i]) continue;
            *l->r = *before;
            assume(l, s->kid[0], i == 1);
            l->depth++;
            statement(l, s->kid[i]);
            l->depth--;
        }
        *l->r = *before;
        keep_lasting(l, s);
        free(before);
        return;
    }
    case RG_C_DECL:
        if (s->array == l->array) return;
        for (int i = 0; i < s->n; i++) l->failed = l->failed || sets_inside(s->kid[i]);
        for (int i = 0; i < s->n; i++) reads(l, s->kid[i]);
        if (s->array < 0 && s->var >= 0 && !s->pointer) {
            int64_t zero;
            if (s->var == l->length) {
                l->failed = l->failed || l->begun || l->depth || (s->n && (!is_literal(s->kid[0], &zero) || zero));
                l->begun = s->n > 0;
            }
            set_var(l, s->var, s->n ? s->kid[0] : NULL);
        }
        return;
    case RG_C_STMT: {
        const struct rg_cnode *a = assignment(s);
        if (stored(l, s)) {
            l->failed = true; /* outside of a block nothing counts behind it */
            return;
        }
        if (a && is_scalar(a->kid[0])) {
            for (int i = 1; i < a->n; i++) reads(l, a->kid[i]);
            for (int i = 1; i < a->n; i++) l->failed = l->failed || sets_inside(a->kid[i]);
            scalar(l, a->kid[0]->var, a, false);
            return;
        }
        reads(l, s->kid[0]);
        keep_lasting(l, s);
        return;
    }
    default:
        reads(l, s);
        keep_lasting(l, s);
    }
}

bool rg__fills_as_list(struct rg_ctree *t, const struct rg__given *given, int array, const struct rg_cnode *body)
{
    if (t->arrays[array].n_dims != 1) return false;
    struct list l = {.t = t, .array = array, .length = -1, .r = rg_xmalloc(sizeof *l.r)};
    find_length(&l, body);
    bool local = l.length >= 0 && t->vars[l.length].kind == RG_CVAR_LOCAL;
    rg__range_init(l.r, t, given);
    l.r->n_computed_facts = 0; /* what is said here changes their order */
    if (local) statement(&l, body);
    free(l.r);
    return local && !l.failed;
}
