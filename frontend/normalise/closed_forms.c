/* Induction variables: integer locals by their closed forms over loop variables and parameters: `int row = i*n;`,
 * walking offsets (`k++` in every iteration), counters left behind by loops. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/counted_loops.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 60, MAX_START = 12 };

struct pass {
    struct rg_ctree *t;
    const struct rg__given *given;
    const struct rg_cnode
        *start; /* what the variable is in front of the loop that is looked at; NULL: closed, or unknown */
    int n_fixed;
    const bool *fixed; /* [var] a local integer that has one value from its declaration on, in all of its scope */
    int n_loops;       /* around what is looked at */
    const struct rg_cnode *loops[RG__MAX_NEST];
};

static struct pass inside_of(const struct pass *x, const struct rg_cnode *loop)
{
    struct pass in = *x;
    if (in.n_loops < RG__MAX_NEST) in.loops[in.n_loops++] = loop;
    return in;
}

static bool closed(const struct pass *x, const struct rg_cnode *e)
{
    const struct rg_ctree *t = x->t;
    if (e->pointer || !rg__scalar_is_int(e->type)) return false;
    switch (e->kind) {
    case RG_C_INT:
        return true;
    case RG_C_VAR: {
        if (e->array >= 0) return false;
        const struct rg_cvar *v = &t->vars[e->var];
        return v->kind == RG_CVAR_ITER || (v->kind == RG_CVAR_PARAM && !v->assigned) ||
               (e->var < x->n_fixed && x->fixed[e->var]) || (x->start && rg__c_mentions_var(x->start, e->var));
    }
    case RG_C_UNARY:
        if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
        break;
    case RG_C_BINARY:
    case RG_C_COND:
    case RG_C_CAST:
        break;
    default:
        return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!closed(x, e->kid[i])) return false;
    return rg__c_size(e) <= MAX_SIZE;
}

/* A polynomial without conversions, its products as wide as they were computed: (long)i * rate is no int. */
static struct rg_cnode *as_wide(struct rg_ctree *t, struct rg_cnode *e, enum rg_scalar type)
{
    if (e->kind == RG_C_UNARY) return rg__c_unary(t, e->op, as_wide(t, e->kid[0], type));
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB && e->op != RG_COP_MUL)) return e;
    struct rg_cnode *a = as_wide(t, e->kid[0], type), *b = as_wide(t, e->kid[1], type);
    if (e->op == RG_COP_MUL) a = rg__c_cast(t, a, type);
    return rg__c_binary(t, e->op, a, b);
}

/* In a number of so many bytes, is e the polynomial without its conversions? Not where fewer bits are kept on the way,
 * or a difference of fewer bits may come round: size_t k; k += 1 - n; */
static bool plain_in(struct rg__range *r, const struct rg_cnode *e, size_t bytes)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->n == 0) return true;
    const bool number = rg__scalar_is_int(e->type), narrow = number && rg_scalar_bytes(e->type) < bytes,
               turns = narrow && !rg_scalar_is_signed(e->type) &&
                       (e->op == RG_COP_SUB || e->op == RG_COP_NEG || e->kind == RG_C_CAST);
    if (e->kind == RG_C_CAST && narrow && rg_scalar_bytes(e->type) < rg_scalar_bytes(e->kid[0]->type)) return false;
    if (turns && !rg__value_safe(r, e)) return false;
    const bool modular = e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL || e->op == RG_COP_NEG;
    for (int i = 0; i < e->n; i++)
        if (!plain_in(r, e->kid[i], modular || e->kind == RG_C_CAST ? bytes : sizeof(int64_t))) return false;
    return true;
}

static bool is_plain(const struct pass *x, const struct rg_cnode *e, enum rg_scalar type)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, x->t, x->given);
    for (int i = 0; i < x->n_loops; i++) r->loops[r->n_loops++] = x->loops[i];
    const bool plain = plain_in(r, e, rg_scalar_bytes(type));
    free(r);
    return plain;
}

/* Polynomials get their shortest form; others stay. */
static struct rg_cnode *tidy(const struct pass *x, struct rg_cnode *e, enum rg_scalar type)
{
    struct rg_ctree *t = x->t;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly p = rg__poly_of(r, e);
    struct rg_cnode *out = e;
    if (!p.bad && rg__c_size(e) > 3 && is_plain(x, e, type)) out = rg__poly_node(r, &p);
    free(r);
    if (out != e && rg_scalar_bytes(e->type) > rg_scalar_bytes(out->type)) out = as_wide(t, out, e->type);
    return rg__c_cast(t, out, type);
}

/* Does it name a local that each iteration of the loop has anew? */
static bool changes(const struct pass *x, const struct rg_cnode *loop, const struct rg_cnode *e)
{
    for (int v = 0; v < x->n_fixed; v++)
        if (x->fixed[v] && rg__c_mentions_var(e, v) && rg__c_declares(loop, v)) return true;
    return false;
}

/* What one execution of the statement adds to the variable: NULL when it does anything else to it. */
static struct rg_cnode *increment(const struct pass *x, const struct rg_cnode *s, int var);

/* The value of the statement if it is `var = value`; NULL. */
static const struct rg_cnode *plainly_set(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0)
        return NULL;
    return a->kid[0]->var == var ? a->kid[1] : NULL;
}

/* What statement `at` of the block adds to the variable that it sets to `var + d`, or to another one that was set to
 * that in the block in front of it: `end = x + cols; .. x = end;`. NULL: it does anything else. */
static struct rg_cnode *moved_on(const struct pass *x, const struct rg_cnode *b, int at, int var)
{
    struct rg_ctree *t = x->t;
    const struct rg_cnode *e = plainly_set(b->kid[at], var);
    int from = at;
    if (e && e->kind == RG_C_VAR && e->array < 0 && e->var != var && t->vars[e->var].kind == RG_CVAR_LOCAL &&
        t->vars[e->var].type == t->vars[var].type) {
        const int other = e->var;
        while (--from >= 0 && !rg__c_writes_var(b->kid[from], other) && !rg__c_declares(b->kid[from], other)) {
        }
        const struct rg_cnode *s = from >= 0 ? b->kid[from] : NULL;
        const bool declared = s && s->kind == RG_C_DECL && s->array < 0 && s->var == other && s->n;
        e = declared ? s->kid[0] : s ? plainly_set(s, other) : NULL;
    }
    if (!e || !rg__c_pure(t, e) || !rg__scalar_is_int(e->type) || !is_plain(x, e, t->vars[var].type) ||
        rg_scalar_bytes(e->type) < rg_scalar_bytes(t->vars[var].type))
        return NULL;
    for (int v = 0; v < t->n_vars; v++) /* all of it is then what it was there */
        for (int i = from; i < at && rg__c_mentions_var(e, v); i++)
            if (rg__c_writes_var(b->kid[i], v)) return NULL;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    const struct rg__poly after = rg__poly_of(r, e), before = rg__poly_var(var), by = rg__poly_add(&after, &before, -1);
    struct rg_cnode *d = by.bad || rg__poly_mentions(&by, var) ? NULL : rg__poly_node(r, &by);
    free(r);
    if (d && rg_scalar_bytes(d->type) < rg_scalar_bytes(t->vars[var].type)) d = as_wide(t, d, t->vars[var].type);
    return d && closed(x, d) && !rg__c_mentions_var(d, var) ? d : NULL;
}

static struct rg_cnode *block_increment(const struct pass *x, const struct rg_cnode *b, int var)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *sum = rg__c_int(t, 0);
    for (int i = 0; i < b->n; i++) {
        struct rg_cnode *d = plainly_set(b->kid[i], var) ? moved_on(x, b, i, var) : increment(x, b->kid[i], var);
        if (!d) return NULL;
        if (d->kind != RG_C_INT || d->ivalue) sum = rg__c_binary(t, RG_COP_ADD, sum, d);
    }
    return sum;
}

/* upper - lower for a loop that is known to run forward; NULL when it may be empty with a negative span. */
static struct rg_cnode *trips(const struct pass *x, const struct rg_cnode *l)
{
    struct rg_ctree *t = x->t;
    if (l->step != 1 && l->step != -1) return NULL;
    const struct rg_cnode *a = l->step > 0 ? l->kid[0] : l->kid[1], *b = l->step > 0 ? l->kid[1] : l->kid[0];
    if (!closed(x, a) || !closed(x, b)) return NULL;
    struct rg_cnode *span = rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, b), rg__c_copy(t, a));
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, x->given);
    for (int i = 0; i < x->n_loops; i++) r->loops[r->n_loops++] = x->loops[i];
    struct rg__poly p = rg__poly_of(r, span);
    bool ok = rg__prove(r, &p);
    if (ok) span = rg__poly_node(r, &p);
    free(r);
    return ok ? span : NULL;
}

static bool same_value(const struct pass *x, const struct rg_cnode *a, const struct rg_cnode *b, enum rg_scalar type)
{
    struct rg_ctree *t = x->t;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    const struct rg__poly p = rg__poly_of(r, a), q = rg__poly_of(r, b);
    const bool same = rg__poly_equal(&p, &q) && is_plain(x, a, type) && is_plain(x, b, type);
    free(r);
    return same;
}

static struct rg_cnode *increment(const struct pass *x, const struct rg_cnode *s, int var)
{
    struct rg_ctree *t = x->t;
    if (!rg__c_writes_var(s, var)) return rg__c_int(t, 0);
    if (s->kind == RG_C_BLOCK) return block_increment(x, s, var);
    if (s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN) {
        const struct rg_cnode *a = s->kid[0];
        if (a->kid[0]->kind != RG_C_VAR || a->kid[0]->var != var || !closed(x, a->kid[1]) ||
            !is_plain(x, a->kid[1], t->vars[var].type))
            return NULL;
        if (a->op == RG_COP_ADD_SET) return rg__c_copy(t, a->kid[1]);
        if (a->op != RG_COP_SUB_SET) return NULL;
        struct rg_cnode *less = rg__c_copy(t, a->kid[1]);
        const enum rg_scalar type = t->vars[var].type;
        if (!rg_scalar_is_signed(less->type) && rg_scalar_bytes(less->type) < rg_scalar_bytes(type))
            less = rg__c_cast(t, less, type); /* its opposite would come round */
        return rg__c_unary(t, RG_COP_NEG, less);
    }
    if (s->kind == RG_C_LOOP) {
        const struct pass in = inside_of(x, s);
        struct rg_cnode *d = block_increment(&in, s->kid[2], var), *n = d ? trips(x, s) : NULL;
        if (s->n > 3) return NULL; /* it may end before */
        if (!d || !n || rg__c_mentions_var(d, s->var) || changes(x, s, d)) return NULL;
        return rg__c_binary(t, RG_COP_MUL, n, d);
    }
    if (s->kind == RG_C_IF && s->n > 2 && s->kid[2] && !rg__c_writes_var(s->kid[0], var)) { /* either arm the same */
        if (rg__leaves_early(s) || s->kid[1]->kind != RG_C_BLOCK || s->kid[2]->kind != RG_C_BLOCK) return NULL;
        struct rg_cnode *a = block_increment(x, s->kid[1], var), *b = a ? block_increment(x, s->kid[2], var) : NULL;
        return a && b && same_value(x, a, b, t->vars[var].type) ? a : NULL;
    }
    return NULL;
}

static void into_block(const struct pass *x, struct rg_cnode *b, int var, struct rg_cnode **cur);

static void replace(struct rg_ctree *t, struct rg_cnode **n, int var, const struct rg_cnode *cur)
{
    if (cur) *n = rg__c_replace_var(t, *n, var, cur);
}

/* Behind the block nobody knows what it declares. */
static void leave_scope(const struct rg_cnode *block, struct rg_cnode **cur)
{
    for (int i = 0; i < block->n && *cur; i++)
        if (block->kid[i]->kind == RG_C_DECL && block->kid[i]->array < 0 &&
            rg__c_mentions_var(*cur, block->kid[i]->var))
            *cur = NULL;
}

static void into_stmt(const struct pass *x, struct rg_cnode *s, int var, struct rg_cnode **cur)
{
    struct rg_ctree *t = x->t;
    if (!rg__c_mentions_var(s, var)) return;
    if (!rg__c_writes_var(s, var) && s->kind != RG_C_DECL) {
        if (*cur)
            for (int i = 0; i < s->n; i++) replace(t, &s->kid[i], var, *cur);
        return;
    }
    enum rg_scalar type = t->vars[var].type;
    switch (s->kind) {
    case RG_C_BLOCK:
        into_block(x, s, var, cur);
        leave_scope(s, cur);
        return;
    case RG_C_DECL:
        if (s->var != var) {
            if (rg__c_writes_var(s, var)) *cur = NULL; /* int k = --left; */
            for (int i = 0; i < s->n; i++) replace(t, &s->kid[i], var, *cur);
            return;
        }
        *cur = s->n && closed(x, s->kid[0]) ? tidy(x, rg__c_copy(t, s->kid[0]), type) : NULL;
        return;
    case RG_C_STMT: {
        struct rg_cnode *a = s->kid[0];
        bool plain = a->kind == RG_C_ASSIGN && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 &&
                     a->kid[0]->var == var && !rg__c_writes_var(a->kid[1], var);
        if (!plain) {
            *cur = NULL;
            return;
        }
        replace(t, &a->kid[1], var, *cur);
        struct rg_cnode *v = NULL;
        if (a->op == RG_COP_SET)
            v = rg__c_copy(t, a->kid[1]);
        else if (*cur)
            v = rg__c_binary(t, rg_c_applied(a->op), rg__c_copy(t, *cur), rg__c_copy(t, a->kid[1]));
        *cur = v && closed(x, v) ? tidy(x, v, type) : NULL;
        return;
    }
    case RG_C_LOOP: {
        replace(t, &s->kid[0], var, *cur);
        replace(t, &s->kid[1], var, *cur);
        const struct pass in = inside_of(x, s);
        struct rg_cnode *d = *cur ? block_increment(&in, s->kid[2], var) : NULL;
        struct rg_cnode *start = NULL, *after = NULL;
        if (d && !rg__c_mentions_var(d, s->var) && !changes(x, s, d) && closed(x, s->kid[0]) &&
            (s->step == 1 || s->step == -1)) {
            struct rg_cnode *i = rg__c_var(t, s->var), *lo = rg__c_copy(t, s->kid[0]);
            struct rg_cnode *done =
                s->step > 0 ? rg__c_binary(t, RG_COP_SUB, i, lo) : rg__c_binary(t, RG_COP_SUB, lo, i);
            start =
                tidy(x, rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, *cur), rg__c_binary(t, RG_COP_MUL, d, done)), type);
            if (!closed(x, start)) start = NULL;
            struct rg_cnode *n = s->n > 3 ? NULL : trips(x, s);
            if (n)
                after = tidy(
                    x,
                    rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, *cur), rg__c_binary(t, RG_COP_MUL, rg__c_copy(t, d), n)),
                    type);
            if (after && !closed(x, after)) after = NULL;
        }
        into_block(&in, s->kid[2], var, &start);
        *cur = after;
        return;
    }
    case RG_C_IF: {
        if (rg__c_writes_var(s->kid[0], var)) *cur = NULL;
        replace(t, &s->kid[0], var, *cur);
        struct rg_cnode *arm[2] = {*cur, *cur};
        for (int i = 1; i < s->n; i++)
            if (s->kid[i]) into_block(x, s->kid[i], var, &arm[i - 1]);
        const bool either = arm[0] && arm[1] && s->n > 2 && s->kid[2] && !rg__leaves_early(s);
        *cur = either && same_value(x, arm[0], arm[1], type) ? arm[0] : NULL;
        return;
    }
    default:
        for (int i = 0; i < s->n; i++) {
            struct rg_cnode *unknown = NULL;
            if (s->kid[i] && s->kid[i]->kind == RG_C_BLOCK) into_block(x, s->kid[i], var, &unknown);
        }
        *cur = NULL;
        return;
    }
}

static void begin_keeping(struct rg_ctree *t, struct rg_cnode *b, int at, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    d->kid[0] = value;
    d->line = b->kid[at]->line;
    d->column = b->kid[at]->column;
    struct rg__kids with = {0};
    rg__kids_add(&with, d);
    rg__block_splice(t, b, at, 0, &with);
}

/* From statement `at` of the block on, where what conditions do to the variable ends what is known of it, another one
 * takes its place: nobody asks any more how the loops in front came to its value. */
static void begin_anew(struct rg_ctree *t, struct rg_cnode *b, int at, int var, struct rg_cnode *value)
{
    int own = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, t->vars[var].type);
    for (int k = at; k < b->n; k++) b->kid[k] = rg__c_replace_var(t, b->kid[k], var, rg__c_var(t, own));
    begin_keeping(t, b, at, own, rg__c_copy(t, value));
}

/* What the variable was set to last in the block in front of statement `at`, a loop, if that has this value until its
 * end; else NULL. */
static struct rg_cnode *last_set(struct rg_ctree *t, const struct rg_cnode *b, int at, int var)
{
    int set = at - 1;
    while (set >= 0 && !rg__c_writes_var(b->kid[set], var) &&
           !(b->kid[set]->kind == RG_C_DECL && b->kid[set]->array < 0 && b->kid[set]->var == var))
        set--;
    const struct rg_cnode *s = set >= 0 ? b->kid[set] : NULL, *value = NULL;
    if (s && s->kind == RG_C_DECL && s->array < 0 && s->var == var && s->n) value = s->kid[0];
    if (s && s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && s->kid[0]->kid[0]->kind == RG_C_VAR)
        value = s->kid[0]->kid[1];
    bool stays = value && rg__c_pure(t, value) && rg__scalar_is_int(value->type) && !value->pointer &&
                 rg__c_size(value) <= MAX_START && !rg__mentions_kind(value, RG_C_INDEX) &&
                 !rg__mentions_kind(value, RG_C_CALL) && !rg__mentions_kind(value, RG_C_MEMBER);
    for (int v = 0; stays && v < t->n_vars; v++)
        for (int i = set + 1; stays && i <= at && rg__c_mentions_var(value, v); i++)
            stays = v != var && !rg__c_writes_var(b->kid[i], v);
    return stays ? rg__c_cast(t, rg__c_copy(t, value), t->vars[var].type) : NULL;
}

/* `for (..) *to++ = 0;` from a place that data lead to: where nobody can say what the variable is in front of the loop,
 * another one keeps that, and in the loop it is so many steps further on. after: what it is behind the loop; NULL. */
static bool from_start(const struct pass *x, struct rg_cnode *b, int *at, int var, struct rg_cnode **after)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *l = b->kid[*at];
    if (l->kind != RG_C_LOOP || l->n > 3 || !rg__c_writes_var(l, var) || x->start || (l->step != 1 && l->step != -1) ||
        !closed(x, l->kid[0]) || rg__c_mentions_var(l->kid[0], var) || rg__c_mentions_var(l->kid[1], var))
        return false;
    const struct pass in = inside_of(x, l);
    const struct rg_cnode *d = block_increment(&in, l->kid[2], var);
    if (!d || (d->kind == RG_C_INT && !d->ivalue) || rg__c_mentions_var(d, l->var) || changes(x, l, d)) return false;
    struct pass inside = *x;
    struct rg_cnode *value = last_set(t, b, *at, var);
    const bool kept = !value;
    if (kept) {
        int own = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, t->vars[var].type);
        begin_keeping(t, b, (*at)++, own, rg__c_var(t, var));
        value = rg__c_var(t, own);
    }
    inside.start = value;
    into_stmt(&inside, l, var, &value);
    *after = kept ? value : NULL;
    return true;
}

static void into_block(const struct pass *x, struct rg_cnode *b, int var, struct rg_cnode **cur)
{
    if (b->kind != RG_C_BLOCK) {
        into_stmt(x, b, var, cur);
        return;
    }
    bool declared = false, counted = false; /* here; by a loop in front */
    for (int i = 0; i < b->n; i++) {
        struct rg_cnode *s = b->kid[i], *known = *cur;
        declared |= s->kind == RG_C_DECL && s->array < 0 && s->var == var;
        counted |= s->kind == RG_C_LOOP && rg__c_writes_var(s, var);
        if (!known && from_start(x, b, &i, var, cur)) continue;
        into_stmt(x, s, var, cur);
        if (declared && counted && known && !*cur && s->kind == RG_C_IF) {
            begin_anew(x->t, b, i, var, known);
            return;
        }
    }
}

enum { MENTIONED = 1, ADDRESSED = 2 };

static void note_uses(const struct rg_cnode *n, unsigned char *flags)
{
    if (!n) return;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array < 0 && n->var >= 0) flags[n->var] |= MENTIONED;
    if (n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *l = n->kid[0];
        while (l->kind == RG_C_MEMBER) l = l->kid[0];
        if (l->kind == RG_C_VAR && l->array < 0) flags[l->var] |= ADDRESSED;
    }
    for (int i = 0; i < n->n; i++) note_uses(n->kid[i], flags);
}

/* `float inv = 1.0f / n;` at the start: read as the expression it is. */
static bool of_params(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->pointer || e->type == RG_STRUCT || e->kind == RG_C_INDEX) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || t->vars[e->var].kind != RG_CVAR_PARAM || t->vars[e->var].assigned))
        return false;
    if (e->kind == RG_C_MEMBER)
        return e->n == 1 && e->kid[0]->kind == RG_C_VAR && t->vars[e->kid[0]->var].kind == RG_CVAR_PARAM;
    if (!rg__c_pure(t, e)) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_params(t, e->kid[i])) return false;
    return true;
}

void rg__canon_constants(struct rg_ctree *t)
{
    struct rg_cnode *root = t->root;
    for (int i = 0; i < root->n; i++) {
        struct rg_cnode *d = root->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0 || !d->n || d->pointer || t->vars[d->var].type == RG_STRUCT) continue;
        if (!of_params(t, d->kid[0]) || rg__c_size(d->kid[0]) > 12) continue;
        bool written = false;
        for (int k = 0; k < root->n; k++)
            if (k != i) written |= rg__c_writes_var(root->kid[k], d->var);
        if (written) continue;
        struct rg_cnode *v = rg__c_cast(t, d->kid[0], t->vars[d->var].type);
        for (int k = i + 1; k < root->n; k++) root->kid[k] = rg__c_replace_var(t, root->kid[k], d->var, v);
    }
}

/* Counts declarations with a value, and for anything else that sets a variable more than one. */
static bool note_setting(void *arg, struct rg_cnode *n)
{
    int *sets = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) sets[n->var] += n->n && n->kid[0] ? 1 : 2;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0)
        sets[n->kid[0]->var] += 2;
    return true;
}

static bool *fixed_locals(struct rg_ctree *t, const unsigned char *flags)
{
    int *sets = rg_xcalloc((size_t)t->n_vars + 1, sizeof *sets);
    bool *fixed = rg_xcalloc((size_t)t->n_vars + 1, sizeof *fixed);
    rg__c_walk(t->root, note_setting, sets);
    for (int v = 0; v < t->n_vars; v++)
        fixed[v] = t->vars[v].kind == RG_CVAR_LOCAL && rg__scalar_is_int(t->vars[v].type) && sets[v] == 1 &&
                   flags[v] == MENTIONED && !strchr(t->vars[v].c_type, '*');
    free(sets);
    return fixed;
}

/* A number without a sign, and perhaps more. */
static bool has_no_sign(const struct rg_ctree *t, const struct rg__poly *p)
{
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        const struct rg__term *m = &p->terms[i];
        if (m->c < 0 || m->degree > 1) return false;
        if (m->degree && (m->var[0] >= RG__ATOM || rg_scalar_is_signed(t->vars[m->var[0]].type))) return false;
        n += m->degree;
    }
    return !p->bad && n == 1;
}

bool rg__c_sign_lost(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && rg__scalar_is_int(e->kid[0]->type) &&
        rg_scalar_is_signed(e->type) && !rg_scalar_is_signed(e->kid[0]->type) &&
        rg_scalar_bytes(e->type) <= rg_scalar_bytes(e->kid[0]->type) && !rg__c_of_params(t, e->kid[0]))
        return true;
    for (int i = 0; i < e->n; i++)
        if (rg__c_sign_lost(t, e->kid[i])) return true;
    return false;
}

/* What a counter by a larger step is behind its loop, `n > 3 ? n - (n - 3 + 3) / 4 * 4 : n`: n - n / 4 * 4 where what
 * is divided is never below zero, as no iteration is then what the quotient says. NULL: it is no such value. */
static struct rg_cnode *counter_end(struct rg__range *r, const struct rg_cnode *e)
{
    struct rg_ctree *t = r->t;
    const struct rg_cnode *c = e->kid[0], *product = e->kid[1]->kind == RG_C_BINARY ? e->kid[1]->kid[1] : NULL;
    const bool up = c->op == RG_COP_LT;
    if ((!up && c->op != RG_COP_GT) || !product || product->op != RG_COP_MUL || product->kid[1]->kind != RG_C_INT)
        return NULL;
    const int64_t by = product->kid[1]->ivalue;
    if (by < 2) return NULL;
    const struct rg__counted h = {
        .var = -1, .lower = c->kid[0], .upper = c->kid[1], .step = up ? by : -by, .down = false};
    if (!rg__c_equal(e, rg__counted_end(t, &h)) || rg__c_sign_lost(t, c)) return NULL;
    const struct rg__poly low = rg__poly_of(r, c->kid[0]), high = rg__poly_of(r, c->kid[1]),
                          rest = rg__poly_int(by - 1);
    struct rg__poly span = up ? rg__poly_add(&high, &low, -1) : rg__poly_add(&low, &high, -1);
    span = rg__poly_add(&span, &rest, 1);
    if (!has_no_sign(t, &span) && (span.bad || !rg__prove(r, &span))) return NULL;
    struct rg_cnode *gone = rg__c_binary(t, RG_COP_DIV, rg__poly_node(r, &span), rg__c_int(t, by));
    gone = rg__c_binary(t, RG_COP_MUL, gone, rg__c_int(t, by));
    return rg__c_cast(t, rg__c_binary(t, up ? RG_COP_ADD : RG_COP_SUB, rg__c_copy(t, c->kid[0]), gone), e->type);
}

/* Choices between integers that what is known of parameters decides: the one that is taken. */
static struct rg_cnode *chosen(struct rg__range *r, struct rg_cnode *e)
{
    for (int i = 0; i < e->n; i++)
        if (e->kid[i]) e->kid[i] = chosen(r, e->kid[i]);
    if (e->kind != RG_C_COND || !rg__scalar_is_int(e->type) || e->pointer || !rg__c_pure(r->t, e)) return e;
    const int known = rg__decide(r, e->kid[0]);
    if (known >= 0) return rg__c_cast(r->t, e->kid[known ? 1 : 2], e->type);
    struct rg_cnode *end = counter_end(r, e);
    return end ? end : e;
}

/* .. in bounds of loops, and what is set behind them. */
static void choose(struct rg__range *r, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < 2 && n->kind == RG_C_LOOP; i++) n->kid[i] = chosen(r, n->kid[i]);
    for (int i = 0; n->kind == RG_C_BLOCK && i + 1 < n->n; i++) {
        const struct rg_cnode *s = n->kid[i + 1];
        const bool sets = n->kid[i]->kind == RG_C_LOOP && s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET &&
                          s->kid[0]->kid[0]->kind == RG_C_VAR && s->kid[0]->kid[0]->array < 0;
        if (sets) s->kid[0]->kid[1] = chosen(r, s->kid[0]->kid[1]);
    }
    const bool pushed = n->kind == RG_C_LOOP && r->n_loops < RG__MAX_NEST;
    if (pushed) r->loops[r->n_loops++] = n;
    for (int i = 0; i < n->n; i++) choose(r, n->kid[i]);
    if (pushed) r->n_loops--;
}

void rg__canon_propagate(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__given *given = rg__given_of(t, p);
    int n = t->n_vars;
    unsigned char *flags = rg_xcalloc((size_t)n + 1, 1);
    note_uses(t->root, flags);
    bool *fixed = fixed_locals(t, flags);
    struct pass x = {.t = t, .given = given, .n_fixed = n, .fixed = fixed};
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, given);
    choose(r, t->root);
    for (int round = 0; round < 3; round++) { /* a chain of locals settles in a few rounds */
        for (int v = 0; v < n; v++) {
            if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[v].type) ||
                strchr(t->vars[v].c_type, '*') || rg_scalar_bytes(t->vars[v].type) < 4 || flags[v] != MENTIONED)
                continue;
            struct rg_cnode *cur = NULL;
            into_block(&x, t->root, v, &cur);
        }
        rg__range_init(r, t, given);
        choose(r, t->root);
    }
    free(r);
    free(fixed);
    free(flags);
    rg__given_free(given);
}
