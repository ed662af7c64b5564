/* Exits that only save work: an inner loop stops as soon as the extreme that the loop around it keeps can't change any
 * more.
 *     for i: { c = far; for j: { c = min(c, d(i, j)); if (c <= most) break; } if (c > most) most = c; }
 *     for i: { s = 0; for k: { s += t(i, k) * t(i, k); if (s >= best) break; } if (s < best) { best = s; who = i; } }
 * What the inner loop makes of c goes one way: where it has come to the exit, the rest of it would leave c on the same
 * side of the extreme, and what follows is skipped either way. Without the exit no iteration waits for those before it.
 * Of numbers, that is: where one is none, every comparison with it fails. Sums of integers go one way where their type
 * holds all of them: types say how large a term is, and where the sizes say how many there are, that is required.
 *     if (s >= best) goto next; .. best = s; if (best == 0) break; next:;
 * What nothing is below any more ends the loop around it for nothing, too. */
#include "frontend/load.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/search_loops.h"
#include "frontend/normalise/term_ranges.h"
#include "frontend/infer/infer.h"
#include <string.h>

enum { MOST_AROUND = 8 };

enum way { NOWHERE, DOWN, UP };

struct pruned {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg__term_at place;              /* of the statement that is looked at */
    const struct rg_cnode *around, *inner; /* loops */
    struct rg_cnode *block;                /* the inner one is block->kid[at] */
    int at;
    int value, extreme; /* c; the most or the best so far */
    enum way way;
    bool equal; /* it leaves where they are equal, too */
    int flag;   /* what the exit sets to `left`, and what follows asks; -1 */
    int64_t left;
    bool negated; /* ... and where one of them is no number: what follows is skipped then as well, if it stays none */
};

static int scalar_of(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer ? e->var : -1;
}

/* The very scalar, of a type that holds what it is compared with. */
static bool is_scalar(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* ---- which way a scalar goes ---- */

static bool never_negative(const struct rg_ctree *t, const struct rg_cnode *e);

/* Nor -0, as the root of one is: what is divided by that goes below all numbers. */
static bool divides(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_REAL) return e->rvalue > 0;
    if (e->kind == RG_C_CALL) return e->text && !strncmp(e->text, "fabs", 4) && never_negative(t, e);
    if (e->kind == RG_C_CAST && rg_scalar_is_real(e->kid[0]->type)) return divides(t, e->kid[0]);
    if (e->kind == RG_C_COND) return divides(t, e->kid[1]) && divides(t, e->kid[2]);
    if (e->op == RG_COP_MUL && rg__c_equal(e->kid[0], e->kid[1])) return true;
    if (e->op == RG_COP_MUL || e->op == RG_COP_DIV) return divides(t, e->kid[0]) && divides(t, e->kid[1]);
    return e->op != RG_COP_ADD || divides(t, e->kid[0]) || divides(t, e->kid[1]);
}

static bool never_negative(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_REAL) return e->rvalue >= 0;
    if (e->kind == RG_C_INT) return e->ivalue >= 0;
    if (e->kind == RG_C_CAST)
        return !e->text && !e->pointer && rg_scalar_is_real(e->type) && never_negative(t, e->kid[0]);
    if (e->kind == RG_C_BINARY && rg_c_logic(e->op)) return true;
    if (e->kind == RG_C_COND) return never_negative(t, e->kid[1]) && never_negative(t, e->kid[2]);
    if (e->kind == RG_C_CALL && e->callee < 0 && e->n == 1 && e->text)
        return !strcmp(e->text, "fabs") || !strcmp(e->text, "fabsf") || !strcmp(e->text, "sqrt") ||
               !strcmp(e->text, "sqrtf");
    if (!rg_scalar_is_real(e->type)) return false; /* products and sums of integers may overflow */
    if (e->op == RG_COP_MUL && rg__c_equal(e->kid[0], e->kid[1]) && rg__c_pure(t, e->kid[0])) return true;
    return (e->op == RG_COP_ADD || e->op == RG_COP_MUL || (e->op == RG_COP_DIV && divides(t, e->kid[1]))) &&
           never_negative(t, e->kid[0]) && never_negative(t, e->kid[1]);
}

/* Which way var = value goes, given that the conditions hold. */
static enum way chosen(const struct pruned *p, int var, const struct rg_cnode *value, const struct rg_cnode *c)
{
    if (c->kind == RG_C_BINARY && c->op == RG_COP_AND) {
        enum way a = chosen(p, var, value, c->kid[0]);
        return a ? a : chosen(p, var, value, c->kid[1]);
    }
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || !rg__c_pure(p->t, value)) return NOWHERE;
    bool second = is_scalar(c->kid[1], var);
    if (!second && !is_scalar(c->kid[0], var)) return NOWHERE;
    if (!rg__c_equal(c->kid[!second], value)) return NOWHERE;
    enum rg_c_op op = second ? c->op : rg_c_converse(c->op); /* value op var */
    return op == RG_COP_LT || op == RG_COP_LE ? DOWN : op == RG_COP_GT || op == RG_COP_GE ? UP : NOWHERE;
}

static enum way by_call(const struct pruned *p, int var, const struct rg_cnode *e)
{
    if (e->kind != RG_C_CALL || e->callee >= 0 || e->n != 2 || !e->text) return NOWHERE;
    bool here = is_scalar(e->kid[0], var) || is_scalar(e->kid[1], var);
    bool least = !strcmp(e->text, "fmin") || !strcmp(e->text, "fminf"),
         most = !strcmp(e->text, "fmax") || !strcmp(e->text, "fmaxf");
    return !here || p->negated || !rg__c_pure(p->t, e) ? NOWHERE : least ? DOWN : most ? UP : NOWHERE;
}

struct conditions { /* around a statement */
    int n;
    const struct rg_cnode *c[MOST_AROUND];
};

/* A term that is never negative; of integers all that is added is looked at as a whole, too. */
static bool adds_up(const struct pruned *p, int var, const struct rg_cnode *term)
{
    int64_t lo, hi;
    if (rg_scalar_is_real(p->t->vars[var].type) && never_negative(p->t, term)) return true;
    while (term->kind == RG_C_CAST && rg_scalar_is_real(term->type) && !term->text) term = term->kid[0];
    return rg__term_range(&p->place, term, &lo, &hi) && lo >= 0;
}

static enum way step_of(const struct pruned *p, int var, const struct rg_cnode *e, const struct conditions *around)
{
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op) ? UP : NOWHERE;
    const struct rg_cnode *v = e->kid[1];
    if (e->op == RG_COP_ADD_SET) return adds_up(p, var, v) ? UP : NOWHERE;
    if (e->op != RG_COP_SET) return NOWHERE;
    if (v->op == RG_COP_ADD && is_scalar(v->kid[0], var)) return adds_up(p, var, v->kid[1]) ? UP : NOWHERE;
    if (v->kind == RG_C_COND && rg__c_pure(p->t, v)) {
        bool kept = is_scalar(v->kid[2], var), first = is_scalar(v->kid[1], var);
        if (kept) return chosen(p, var, v->kid[1], v->kid[0]);
        enum way w = first ? chosen(p, var, v->kid[2], v->kid[0]) : NOWHERE; /* var where value op var, else value */
        bool ints = !rg_scalar_is_real(v->type);                             /* else one of them may be no number */
        return !ints ? NOWHERE : w == UP ? DOWN : w == DOWN ? UP : NOWHERE;
    }
    enum way w = by_call(p, var, v);
    for (int i = 0; i < around->n && !w; i++) w = chosen(p, var, v, around->c[i]);
    return w;
}

/* Which way all that is done to the scalar goes; false: not one way. */
static bool goes(struct pruned *p, int var, const struct rg_cnode *n, struct conditions *around, enum way *way)
{
    if (!n) return true;
    if (n->op == RG_COP_ADDRESS && rg__c_mentions_var(n, var)) return false;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && is_scalar(n->kid[0], var)) {
        enum way w = step_of(p, var, n, around);
        if (!w || (*way && *way != w)) return false;
        *way = w;
        return n->n < 2 || !rg__c_writes_var(n->kid[1], var);
    }
    for (int i = 0; i < n->n; i++) {
        bool inside = n->kind == RG_C_IF && i == 1 && around->n < MOST_AROUND;
        if (n->kind == RG_C_BLOCK) p->place = (struct rg__term_at){p->t, p->inner, n, i};
        if (inside) around->c[around->n++] = n->kid[0];
        bool ok = goes(p, var, n->kid[i], around, way);
        if (inside) around->n--;
        if (!ok) return false;
    }
    return true;
}

/* ---- the exit ---- */

/* c <= most, s >= best: of the scalar that the inner loop makes and one that it leaves alone. */
static bool prunes(struct pruned *p, const struct rg_cnode *c, bool not )
{
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op)) return false;
    int a = scalar_of(c->kid[0]), b = scalar_of(c->kid[1]);
    if (a < 0 || b < 0 || !is_scalar(c->kid[0], a) || !is_scalar(c->kid[1], b)) return false;
    bool mine = rg__c_writes_var(p->inner, a), yours = rg__c_writes_var(p->inner, b);
    if (mine == yours) return false;
    enum rg_c_op op = yours ? rg_c_converse(c->op) : c->op;
    p->value = mine ? a : b;
    p->extreme = mine ? b : a;
    if (not &&(op == RG_COP_EQ || op == RG_COP_NE)) return false;
    p->negated = not ;
    if (not ) op = rg_c_opposite(op);
    p->equal = op == RG_COP_LE || op == RG_COP_GE;
    p->way = op == RG_COP_LT || op == RG_COP_LE ? DOWN : op == RG_COP_GT || op == RG_COP_GE ? UP : NOWHERE;
    return p->way != NOWHERE;
}

static int exits(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return 0;
    int k = n->kind == RG_C_BREAK || n->kind == RG_C_RETURN || n->kind == RG_C_CONTINUE || n->kind == RG_C_GOTO ||
            n->kind == RG_C_LABEL || n->kind == RG_C_SWITCH || n->kind == RG_C_VERBATIM;
    for (int i = 0; i < n->n; i++) k += exits(n->kid[i]);
    return k;
}

/* { break; }, { flag = 1; break; } */
static bool only_leaves(struct pruned *p, const struct rg_cnode *b)
{
    if (b->kind != RG_C_BLOCK || b->n < 1 || b->n > 2 || b->kid[b->n - 1]->kind != RG_C_BREAK) return false;
    p->flag = -1;
    if (b->n == 1) return true;
    const struct rg_cnode *e = b->kid[0]->kind == RG_C_STMT ? b->kid[0]->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || !rg__c_number(e->kid[1], &p->left)) return false;
    p->flag = e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 ? e->kid[0]->var : -1;
    return p->flag >= 0;
}

/* if (..) break; as a statement of its own: where it stands. */
static bool exit_at(struct pruned *p, struct rg_cnode *n, struct rg_cnode **block, int *at)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return false;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *x = n->kid[i];
        if (!x || rg__c_is_expr(x)) continue;
        if (n->kind == RG_C_BLOCK && x->kind == RG_C_IF && x->n == 2 && only_leaves(p, x->kid[1]) &&
            prunes(p, x->kid[0], false)) {
            *block = n;
            *at = i;
            return true;
        }
        if (exit_at(p, x, block, at)) return true;
    }
    return false;
}

/* ---- what follows ---- */

/* if (c > most [&& ..]) ..: is it skipped wherever the exit was taken? */
static bool skipped(const struct pruned *p, const struct rg_cnode *c)
{
    if (c->kind == RG_C_BINARY && c->op == RG_COP_AND) return skipped(p, c->kid[0]) || skipped(p, c->kid[1]);
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op)) return false;
    bool second = is_scalar(c->kid[1], p->value);
    if (!is_scalar(c->kid[second], p->value) || !is_scalar(c->kid[!second], p->extreme)) return false;
    enum rg_c_op op = second ? rg_c_converse(c->op) : c->op;
    enum rg_c_op strict = p->way == DOWN ? RG_COP_GT : RG_COP_LT, wide = p->way == DOWN ? RG_COP_GE : RG_COP_LE;
    return op == strict || (op == wide && !p->equal);
}

/* The scalars that the inner loop leaves behind are read by what is skipped alone, and set anew in every iteration. */
static bool left_to(const struct pruned *p, const struct rg_cnode *use)
{
    const struct rg_ctree *t = p->t;
    const struct rg_cnode *body = p->around->kid[3];
    for (int v = 0; v < t->n_vars; v++) {
        if (!rg__c_writes_var(p->inner, v) || rg__c_declares(p->inner, v)) continue;
        int all = rg__c_count_var(body, v), here = rg__c_count_var(p->inner, v) + rg__c_count_var(use, v);
        for (int i = 0; i < p->at; i++) here += rg__c_count_var(p->block->kid[i], v);
        bool first = rg__search_given_first(body, v) || rg__search_given_first(p->inner->kid[3], v);
        bool own = rg__c_declares(body, v) || (first && !rg__doubling_live(t, v, p->around));
        if (!own || all != here) return false;
    }
    return true;
}

/* Nothing is stored in the inner loop. */
static bool stores(const struct pruned *p, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS || (n->kind == RG_C_CALL && !rg__c_pure(p->t, n)) ||
        (n->kind == RG_C_DECL && n->array >= 0))
        return true;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && scalar_of(n->kid[0]) < 0) return true;
    for (int i = 0; i < n->n; i++)
        if (stores(p, n->kid[i])) return true;
    return false;
}

/* What the condition is where the flag has that value; -1: it asks other things. */
static int decided(const struct rg_cnode *c, int flag, int64_t value)
{
    int64_t number;
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (is_scalar(c, flag)) return value != 0;
    if (c->op == RG_COP_NOT && is_scalar(rg__c_uncast(c->kid[0], RG__C_INT_CASTS), flag)) return value == 0;
    if ((c->op != RG_COP_EQ && c->op != RG_COP_NE) || !is_scalar(rg__c_uncast(c->kid[0], RG__C_INT_CASTS), flag) ||
        !rg__c_number(c->kid[1], &number))
        return -1;
    return (value == number) == (c->op == RG_COP_EQ);
}

/* Is what follows done where the exit was not taken, which the flag alone says? Then it is where what the exit asks
 * does not hold behind the loop: of whole numbers, asked behind the last of each trip's steps, of which there is one.
 */
static bool by_flag(const struct pruned *p, const struct rg_cnode *exit_block, int exit_at, const struct rg_cnode *use,
                    const struct rg__counted *h, const struct rg_expr **need)
{
    const struct rg_ctree *t = p->t;
    int64_t set, from, to;
    const struct rg_cnode *leaves = exit_block->kid[exit_at];
    if (!rg__scalar_is_int(t->vars[p->value].type) || !rg__scalar_is_int(t->vars[p->extreme].type)) return false;
    if (exit_block != p->inner->kid[3] || exit_at != exit_block->n - 1) return false;
    if (!rg__search_number_before(p->t->root, p->block, p->at, p->flag, &set) ||
        decided(use->kid[0], p->flag, set) != 1 || decided(use->kid[0], p->flag, p->left) != 0)
        return false;
    int named =
        rg__c_count_var(t->root, p->flag) - rg__c_count_var(use->kid[0], p->flag) - rg__c_count_var(leaves, p->flag);
    for (int i = 0; i < p->at; i++) named -= rg__c_count_var(p->block->kid[i], p->flag);
    if (named || h->down || h->step < 1 || !rg__c_number(h->lower, &from)) return false;
    if (rg__c_number(h->upper, &to)) return to > from;
    if (!rg__c_of_params(t, h->upper)) return false;
    struct rg_cnode *one = rg__c_binary(p->t, RG_COP_GT, rg__c_copy(p->t, h->upper), rg__c_int(p->t, from));
    *need = rg__c_to_expr(t, rg__c_strip_int_casts(one), &p->l->p->arena);
    return *need && rg__may_hold(p->l, *need);
}

/* Statements besides what follows the inner loop, and those that leave, set the iteration's own scalars alone. */
static bool quiet(const struct pruned *p, const struct rg_cnode *use)
{
    const struct rg_cnode *body = p->around->kid[3];
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i];
        if (s == use) continue;
        if (stores(p, s)) return false;
        for (int v = 0; v < p->t->n_vars; v++)
            if (rg__c_writes_var(s, v) && !rg__c_declares(body, v) &&
                (!rg__search_given_first(body, v) || rg__doubling_live(p->t, v, p->around)))
                return false;
    }
    return true;
}

/* if (best == 0) break; */
static bool leaves_at_zero(const struct pruned *p, const struct rg_cnode *s)
{
    int64_t zero;
    if (s->kind != RG_C_IF || s->n > 2 || s->kid[1]->kind != RG_C_BLOCK || s->kid[1]->n != 1 ||
        s->kid[1]->kid[0]->kind != RG_C_BREAK)
        return false;
    const struct rg_cnode *c = s->kid[0];
    if (c->op == RG_COP_NOT) return is_scalar(c->kid[0], p->extreme);
    return (c->op == RG_COP_EQ || c->op == RG_COP_LE) && is_scalar(c->kid[0], p->extreme) &&
           rg__c_number(rg__c_uncast(c->kid[1], RG__C_CASTS), &zero) && zero == 0;
}

/* Where the best so far is 0, nothing is below it: the loop need not end there. `first`: what the sum begins with. */
static void without_zero(struct pruned *p, struct rg_cnode *use, int64_t first)
{
    struct rg_cnode *body = p->around->kid[3], *then = use->kid[1], *c = use->kid[0];
    struct rg_cnode *in = then->kind == RG_C_BLOCK && then->n && leaves_at_zero(p, then->kid[then->n - 1]) ? then
                          : leaves_at_zero(p, body->kid[body->n - 1])                                      ? body
                                                                                                           : NULL;
    struct rg__counted h;
    const bool second = is_scalar(c->kid[c->n - 1], p->value);
    if (!in || first < 0 || p->way != UP || c->op != (second ? RG_COP_GT : RG_COP_LT) || !quiet(p, use)) return;
    if (!is_scalar(c->kid[second], p->value) || !is_scalar(c->kid[!second], p->extreme)) return;
    if (!rg__counted(p->t, p->around, p->around->kid[1], &h) ||
        (!h.declared && rg__doubling_live(p->t, h.var, p->around)))
        return;
    struct rg__kids none = {0};
    rg__block_splice(p->t, in, in->n - 1, 1, &none);
}

/* The inner loop's header without what asks for the extreme: begun with the number, up to the value of parameters, that
 * the block in front of it gives its scalars. */
static struct rg_cnode *bare(const struct pruned *p, struct rg_cnode *bound, struct rg__counted *h)
{
    struct rg_ctree *t = p->t;
    struct rg_cnode *f = rg__c_shallow(&t->arena, p->inner);
    int64_t from;
    f->kid[1] = bound;
    if (!rg__counted(t, f, bound, h)) return NULL;
    const int starts = f->kid[0] ? -1 : scalar_of(h->lower), ends = scalar_of(h->upper);
    if (starts >= 0 && rg__search_number_before(p->t->root, p->block, p->at, starts, &from))
        f->kid[0] = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, starts), rg__c_int(t, from)));
    for (int i = 0; i < p->at && ends >= 0; i++) {
        const struct rg_cnode *d = p->block->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0 || d->var != ends || !d->n || !rg__c_of_params(t, d->kid[0]))
            continue;
        bool set = false;
        for (int k = 0; k < p->block->n; k++) set = set || (k != i && rg__c_writes_var(p->block->kid[k], ends));
        const bool same = d->kid[0]->type == t->vars[ends].type;
        if (!set && same) f->kid[1] = rg__c_replace_var(t, rg__c_copy(t, bound), ends, d->kid[0]);
    }
    return rg__counted(t, f, f->kid[1], h) ? f : NULL;
}

/* `outer`: the outermost loop, where that is another. */
static bool without_exit(struct rg__load *l, const struct rg_cnode *outer, const struct rg_cnode *around,
                         struct rg_cnode *block, int at)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *f = block->kid[at], *where = NULL, *parts[RG__SEARCH_PARTS] = {0}, *bound = NULL;
    struct pruned p = {.l = l, .t = t, .around = around, .inner = f, .block = block, .at = at, .flag = -1};
    struct rg__counted h;
    int n = 0, n_exits = exits(f->kid[3]), place = -1, part = -1;
    rg__search_conjuncts(f->kid[1], parts, &n);
    if (!n || n == RG__SEARCH_PARTS || n_exits > 1) return false;
    for (int i = 0; i < n; i++)
        if (part < 0 && !n_exits && !rg__counted(t, f, parts[i], &h) && prunes(&p, parts[i], true))
            part = i;
        else
            bound = bound ? rg__c_binary(t, RG_COP_AND, bound, parts[i]) : parts[i];
    if (part < 0 && (n_exits != 1 || !exit_at(&p, f->kid[3], &where, &place))) return false;
    if (!bound || !rg__counted(t, f, bound, &h)) return false;
    if (outer && (rg__c_declares(outer->kid[3], p.extreme) || rg__search_given_first(outer->kid[3], p.extreme)))
        return false; /* a thread for each of the outer loop's iterations saves work as the C does */
    struct rg_cnode *use = at + 1 < block->n ? block->kid[at + 1] : NULL, *no_exit = bare(&p, bound, &h);
    struct conditions none = {0};
    enum way way = NOWHERE;
    const struct rg_expr *held = NULL, *once = NULL;
    if (!no_exit || !use || use->kind != RG_C_IF || use->n > 2 || !rg__c_pure(t, use->kid[0]) ||
        !(p.flag >= 0 ? by_flag(&p, where, place, use, &h, &once) : skipped(&p, use->kid[0])) ||
        !rg__c_writes_var(use->kid[1], p.extreme) || !goes(&p, p.value, f->kid[3], &none, &way) || way != p.way)
        return false;
    int64_t first;
    if (!rg__search_number_before(t->root, block, at, p.value, &first)) first = -1;
    if (rg__scalar_is_int(t->vars[p.value].type) && !rg__term_sum_held(l, no_exit, p.value, first, &held)) return false;
    struct rg_cnode *leaves = place >= 0 ? where->kid[place] : NULL;
    struct rg__kids nothing = {0};
    if (p.flag >= 0) rg__block_splice(t, where, place, 1, &nothing); /* the flag is looked at by itself */
    const bool alone = left_to(&p, use) && !stores(&p, f->kid[3]) && !rg__search_wild(t->n_vars, f, f->kid[3]) &&
                       !rg__search_wild(t->n_vars, f, h.upper);
    if (p.flag >= 0 && !alone) {
        struct rg__kids back = {0};
        rg__kids_add(&back, leaves);
        rg__block_splice(t, where, place, 0, &back);
    }
    if (!alone) return false;
    if (part >= 0)
        f->kid[1] = bound;
    else if (p.flag < 0)
        rg__block_splice(t, where, place, 1, &nothing);
    else
        use->kid[0] = rg__negated(t, rg__c_copy(t, leaves->kid[0]));
    if (held) rg__add_require(l->p, held);
    if (once) rg__add_require(l->p, once);
    without_zero(&p, use, first);
    return true;
}

/* Loops that stand in one alone, or in some that all keep the one extreme. */
static void inside(struct rg__load *l, const struct rg_cnode *outer, const struct rg_cnode *around)
{
    struct rg_cnode *body = around->kid[3];
    for (int i = 0; body && body->kind == RG_C_BLOCK && i < body->n; i++)
        if (body->kid[i]->kind == RG_C_FOR && !without_exit(l, outer, around, body, i))
            inside(l, outer ? outer : around, body->kid[i]);
}

static bool visit(void *arg, struct rg_cnode *n)
{
    if (n->kind == RG_C_FOR) inside(arg, NULL, n);
    return n->kind == RG_C_BLOCK || n->kind == RG_C_IF;
}

enum rg_status rg__canon_pruned(struct rg__load *l)
{
    rg__c_walk(l->t->root, visit, l);
    return RG_OK;
}
