/* Loops from word to word: an iteration skips what is between words, then goes along one.
 *     while (i < n) { while (i < n && sep(i)) i++; ..; while (i < n && !sep(i)) i++; ... }
 * A word begins where an element is no separator, and the one in front of it is, or there is none. So each element asks
 * by itself:
 *     for (h = begin; h < n; h++) if (!sep(h) && (h == begin || sep(h - 1))) { i = h; ..; for (; i < n && ..) ... }
 *     if (begin < n && sep(n - 1)) { i = n; ..; ... }
 * So does a loop that skips what is between words behind each, and once in front of all, or that is left by
 * `if (i >= n) break;` alone. The last line is for an iteration that finds separators alone; it goes where it would do
 * nothing. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/runs.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

struct words {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    bool always; /* the loop has no condition */
    int i;
    const struct rg_cnode *begin, *end;
    struct rg_cnode *sep; /* of element i */
    int skip, leaves;     /* statements: the loop over separators; `if (i >= n) break;` behind it, -1: there is none */
    int along;            /* the loop along a word */
};

/* for (; i < n && c; i++): c; NULL. */
static struct rg_cnode *going_on(const struct words *w, const struct rg_cnode *x)
{
    if (x->kind != RG_C_FOR || x->kid[0] || !x->kid[1] || !x->kid[2] || !rg__runs_counts(x->kid[2], w->i)) return NULL;
    const struct rg_cnode *bound = x->kid[1];
    struct rg_cnode *rest = NULL;
    while (bound->op == RG_COP_AND) {
        rest = rest ? rg__c_binary(w->t, RG_COP_AND, bound->kid[1], rest) : bound->kid[1];
        bound = bound->kid[0];
    }
    if (!rest || !rg__runs_below(bound, w->i, w->end ? w->end : bound->kid[1], 0)) return NULL;
    if (x->kid[3]->kind != RG_C_BLOCK || rg__c_writes_var(x->kid[3], w->i) || rg__leaves_loop(x->kid[3])) return NULL;
    return rest;
}

/* if (i >= n) break; */
static bool leaves_at_end(const struct words *w, const struct rg_cnode *s)
{
    if (s->kind != RG_C_IF || s->n > 2) return false;
    const struct rg_cnode *then = s->kid[1], *c = s->kid[0];
    if (then->kind == RG_C_BLOCK && then->n == 1) then = then->kid[0];
    if (then->kind != RG_C_BREAK || c->kind != RG_C_BINARY) return false;
    if (c->op != RG_COP_GE && c->op != RG_COP_EQ) return false; /* i is never above the end here */
    return rg__runs_is_var(c->kid[0], w->i) && rg__c_same(c->kid[1], w->end, RG__C_UNCAST);
}

/* Of two conditions, does one hold where the other does not? */
static bool opposite(struct rg_ctree *t, struct rg_cnode *a, struct rg_cnode *b)
{
    return rg__c_same(rg__negated(t, rg__c_copy(t, a)), b, RG__C_TYPED) ||
           rg__c_same(rg__negated(t, rg__c_copy(t, b)), a, RG__C_TYPED);
}

/* The variable that goes along, and up to where: the loop's condition says so; where it has none, the loop over
 * separators does. */
static bool counter_of(struct words *w)
{
    const bool is_for = w->loop->kind == RG_C_FOR;
    const struct rg_cnode *c = is_for ? w->loop->kid[1] : w->loop->kid[0];
    int64_t always;
    if (c && rg__c_number(c, &always) && always) c = NULL;
    w->always = !c;
    for (int k = 0; k < w->body->n && !c; k++) {
        const struct rg_cnode *s = w->body->kid[k];
        if (s->kind == RG_C_FOR && !s->kid[0]) c = s->kid[1];
        while (c && c->op == RG_COP_AND) c = c->kid[0];
    }
    if (!c || (c->op != RG_COP_LT && (!w->always || c->op != RG_COP_NE))) return false;
    const struct rg_cnode *i = rg__runs_widened(c->kid[0]);
    w->i = i->var;
    w->end = c->kid[1];
    return i->kind == RG_C_VAR && i->array < 0 && !i->pointer && rg__scalar_is_int(i->type);
}

static bool shape_of(struct words *w, const struct rg_cnode *block, int at)
{
    const bool is_for = w->loop->kind == RG_C_FOR;
    int var;
    w->body = is_for ? w->loop->kid[3] : w->loop->kid[1];
    if ((is_for && w->loop->kid[2]) || !w->body || w->body->kind != RG_C_BLOCK || !counter_of(w)) return false;
    if (is_for && w->loop->kid[0]) {
        w->begin = rg__runs_assigned(w->loop->kid[0], &var);
        if (!w->begin || var != w->i) return false;
    } else if (!(w->begin = rg__runs_begin(w->t, block, at, w->i))) {
        return false;
    }
    struct rg_cnode *stays = NULL;
    w->skip = w->along = w->leaves = -1;
    for (int k = 0; k < w->body->n; k++) {
        struct rg_cnode *s = w->body->kid[k], *rest = going_on(w, s);
        if (rest && w->skip < 0) {
            if (s->kid[3]->n) return false;
            w->sep = rest;
            w->skip = k;
        } else if (rest && w->along < 0) {
            stays = rest;
            w->along = k;
        } else if (w->skip >= 0 && k == w->skip + 1 && leaves_at_end(w, s)) {
            w->leaves = k;
        } else if (rg__c_writes_var(s, w->i) || rg__leaves_loop(s) || (w->skip < 0 && rg__c_mentions_var(s, w->i))) {
            return false;
        }
    }
    return w->along >= 0 && (!w->always || w->leaves >= 0) && opposite(w->t, w->sep, stays);
}

/* ---- the iteration without a word ---- */

/* The number that statements of the body, in front of the loop along the word, give the scalar, which nothing but that
 * loop changes then. */
static bool starts_as(const struct words *w, int var, double *number)
{
    bool known = false;
    int which;
    for (int k = 0; k < w->body->n; k++) {
        const struct rg_cnode *s = w->body->kid[k], *v = rg__runs_assigned(s, &which);
        if (k == w->along || !rg__c_writes_var(s, var)) {
            if (!v || which != var) continue;
        }
        if (known || k > w->along || !v || which != var || !rg__round_number(v, number)) return false;
        known = true;
    }
    return known;
}

/* Is it i, in front of the loop along the word: a local that is set to it there and nowhere else? */
static bool is_start(const struct words *w, const struct rg_cnode *e)
{
    int which, found = 0;
    e = rg__runs_widened(e);
    if (e->kind != RG_C_VAR || e->array >= 0 || e->pointer || e->var == w->i) return false;
    for (int k = 0; k < w->body->n; k++) {
        const struct rg_cnode *v = rg__runs_assigned(w->body->kid[k], &which);
        if (v && which == e->var) {
            if (k < w->skip || k > w->along || !rg__runs_is_var(v, w->i) || rg__runs_widened(v)->type != e->type)
                return false;
            found++;
        } else if (rg__c_writes_var(w->body->kid[k], e->var)) {
            return false;
        }
    }
    return found == 1;
}

/* Does the condition not hold where the word is empty: i > start, i != start, length > 0, length? */
static bool asks_for_word(const struct words *w, const struct rg_cnode *c)
{
    double zero, first;
    if (c->op == RG_COP_AND) return asks_for_word(w, c->kid[0]) || asks_for_word(w, c->kid[1]);
    if (c->kind == RG_C_VAR && c->array < 0 && !c->pointer) return starts_as(w, c->var, &first) && first == 0;
    if (c->kind != RG_C_BINARY) return false;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *a = c->kid[side], *b = c->kid[1 - side], *v = rg__runs_widened(a);
        const enum rg_c_op op = !rg_c_relation(c->op) ? c->op : side ? rg_c_converse(c->op) : c->op;
        if (op != RG_COP_GT && op != RG_COP_NE) continue;
        if (rg__runs_is_var(a, w->i) && is_start(w, b)) return true;
        if (v->kind == RG_C_VAR && v->array < 0 && !v->pointer && rg__round_number(b, &zero) && zero == 0 &&
            starts_as(w, v->var, &first) && first == 0)
            return true;
    }
    return false;
}

/* Does the statement, where the word is empty, nothing that is seen outside of the iteration? */
static bool does_nothing(const struct words *w, const struct rg_cnode *s)
{
    int var;
    if (s->kind == RG_C_IF) return s->n < 3 && rg__c_pure(w->t, s->kid[0]) && asks_for_word(w, s->kid[0]);
    if (s->kind == RG_C_DECL) return s->n == 0 || rg__c_pure(w->t, s->kid[0]);
    const struct rg_cnode *v = rg__runs_assigned(s, &var);
    return v && rg__c_declares(w->body, var) && rg__c_pure(w->t, v);
}

static struct rg_cnode *declared(struct rg_ctree *t, int var, struct rg_cnode *value, int line)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    d->kid[0] = rg__c_cast(t, value, d->type);
    d->line = line;
    return d;
}

/* Statements from `first` on without the loops over separators and, in the empty iteration, along the word; i is a
 * local of their own, which begins as `at`. NULL: the empty iteration does nothing. */
static struct rg_cnode *iteration(const struct words *w, struct rg_cnode *at, bool empty)
{
    struct rg_ctree *t = w->t;
    struct rg__kids out = {0};
    const int own = rg__c_add_var(t, t->vars[w->i].name, RG_CVAR_LOCAL, t->vars[w->i].type);
    bool matters = !empty;
    rg__kids_add(&out, declared(t, own, at, w->loop->line));
    for (int k = 0; k < w->body->n && (!empty || k != w->leaves); k++) {
        struct rg_cnode *s = w->body->kid[k];
        if (k == w->skip || k == w->leaves || (empty && k == w->along)) continue;
        matters = matters || !does_nothing(w, s);
        s = rg__c_copy(t, s);
        rg__kids_add(&out, rg__c_replace_var(t, s, w->i, rg__c_var(t, own)));
    }
    struct rg_cnode *b = rg__kids_node(t, RG_C_BLOCK, &out);
    b->line = w->loop->line;
    return matters ? b : NULL;
}

static struct rg_cnode *only_if(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *then)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2);
    x->kid[0] = c;
    x->kid[1] = then;
    x->line = then->line;
    return x;
}

/* `loop` stands for block->kid[at], and for `before` statements in front of it. */
static bool take(struct rg_ctree *t, struct rg_cnode *block, int at, int before, struct rg_cnode *loop)
{
    struct words w = {.t = t, .loop = loop};
    if (!shape_of(&w, block, at - before) || rg__mentions_kind(w.body, RG_C_VERBATIM) ||
        rg__mentions_kind(w.body, RG_C_LABEL) || rg__mentions_kind(w.body, RG_C_RETURN) ||
        rg__mentions_kind(w.body, RG_C_GOTO))
        return false;
    if (rg__runs_stores_anywhere(t, w.loop) || !rg__runs_fixed(t, w.sep, w.loop, w.i, w.i) ||
        !rg__runs_fixed(t, w.end, w.loop, w.i, w.i) || !rg__runs_fixed(t, w.begin, w.loop, w.i, w.i) ||
        rg__c_mentions_var(w.end, w.i) || rg__c_mentions_var(w.begin, w.i))
        return false;
    int named = 0;
    for (int k = 0; k <= at; k++) named += rg__c_count_var(block->kid[k], w.i);
    if (rg__c_count_var(t->root, w.i) != named) return false; /* where it ends is of no interest behind the loop */
    const int line = w.loop->line, h = rg__c_add_var(t, t->vars[w.i].name, RG_CVAR_LOCAL, t->vars[w.i].type);
    struct rg_cnode *begin = rg__c_cast(t, rg__c_copy(t, w.begin), t->vars[w.i].type);
    struct rg_cnode *first = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, h), rg__c_copy(t, begin));
    struct rg_cnode *here = rg__runs_shifted(t, w.sep, w.i, h, 0), *front = rg__runs_shifted(t, w.sep, w.i, h, -1);
    struct rg_cnode *starts =
        rg__c_binary(t, RG_COP_AND, rg__negated(t, here), rg__c_binary(t, RG_COP_OR, first, front));
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = only_if(t, starts, iteration(&w, rg__c_var(t, h), false));
    f->kid[0] = declared(t, h, rg__c_copy(t, begin), line);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, h), rg__c_copy(t, w.end));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, h), rg__c_int(t, 1));
    f->kid[3] = b;
    f->line = b->line = line;
    f->column = w.loop->column;
    struct rg__kids with = {0};
    for (int k = 0; k < before; k++) { /* the block keeps its length */
        struct rg_cnode *nothing = rg_cnode_new(t, RG_C_BLOCK, 0);
        nothing->line = line;
        rg__kids_add(&with, nothing);
    }
    rg__kids_add(&with, f);
    struct rg_cnode *none = iteration(&w, rg__c_copy(t, w.end), true);
    if (none) {
        struct rg_cnode *last =
            rg__c_cast(t, rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, w.end), rg__c_int(t, 1)), t->vars[w.i].type);
        struct rg_cnode *some = rg__c_binary(t, RG_COP_LT, begin, rg__c_copy(t, w.end));
        rg__kids_add(
            &with,
            only_if(t, rg__c_binary(t, RG_COP_AND, some, rg__c_replace_var(t, rg__c_copy(t, w.sep), w.i, last)), none));
    }
    rg__block_splice(t, block, at - before, before + 1, &with);
    return true;
}

/* `skip; while (i < n) { ..; skip; }` as `for (;;) { skip; if (i >= n) break; .. }`; NULL: it is none. */
static struct rg_cnode *turned(struct rg_ctree *t, const struct rg_cnode *block, int at)
{
    const struct rg_cnode *loop = block->kid[at];
    const bool is_for = loop->kind == RG_C_FOR;
    const struct rg_cnode *c = is_for ? loop->kid[1] : loop->kid[0], *body = loop->kid[is_for ? 3 : 1];
    if (at < 1 || !c || c->op != RG_COP_LT || (is_for && (loop->kid[0] || loop->kid[2])) || !body ||
        body->kind != RG_C_BLOCK || body->n < 2 || rg__continues_loop(body))
        return NULL;
    struct rg_cnode *skip = body->kid[body->n - 1];
    if (skip->kind != RG_C_FOR || !rg__c_equal(skip, block->kid[at - 1])) return NULL;
    struct rg_cnode *leaves = rg_cnode_new(t, RG_C_IF, 2), *made = rg_cnode_new(t, RG_C_FOR, 4);
    struct rg__kids kids = {0};
    leaves->kid[0] = rg__negated(t, rg__c_copy(t, c));
    leaves->kid[1] = rg_cnode_new(t, RG_C_BREAK, 0);
    rg__kids_add(&kids, skip);
    rg__kids_add(&kids, leaves);
    for (int k = 0; k + 1 < body->n; k++) rg__kids_add(&kids, body->kid[k]);
    made->kid[3] = rg__kids_node(t, RG_C_BLOCK, &kids);
    made->line = made->kid[3]->line = leaves->line = leaves->kid[1]->line = loop->line;
    made->column = loop->column;
    return made;
}

bool rg__words_take(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    if (take(t, block, at, 0, block->kid[at])) return true;
    struct rg_cnode *other = turned(t, block, at);
    return other && take(t, block, at, 1, other);
}
