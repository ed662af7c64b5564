/* Exits that only save work: an inner loop stops as soon as the extreme that the loop around it keeps can't change any
 * more.
 *     for i: { c = far; for j: { c = min(c, d(i, j)); if (c <= most) break; } if (c > most) most = c; }
 *     for i: { s = 0; for k: { s += t(i, k) * t(i, k); if (s >= best) break; } if (s < best) { best = s; who = i; } }
 * What the inner loop makes of c goes one way: where it has come to the exit, the rest of it would leave c on the same
 * side of the extreme, and what follows is skipped either way. Without the exit no iteration waits for those before it.
 * Of numbers, that is: where one is none, every comparison with it fails. */
#include "frontend/load.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/search_loops.h"
#include <string.h>

enum { MOST_AROUND = 8 };

enum way { NOWHERE, DOWN, UP };

struct pruned {
    struct rg_ctree *t;
    const struct rg_cnode *around, *inner; /* loops */
    struct rg_cnode *block;                /* the inner one is block->kid[at] */
    int at;
    int value, extreme; /* c; the most or the best so far */
    enum way way;
    bool equal;   /* it leaves where they are equal, too */
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
    return (e->op == RG_COP_ADD || e->op == RG_COP_MUL || e->op == RG_COP_DIV) && never_negative(t, e->kid[0]) &&
           never_negative(t, e->kid[1]);
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

static enum way step_of(const struct pruned *p, int var, const struct rg_cnode *e, const struct conditions *around)
{
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op) ? UP : NOWHERE;
    const struct rg_cnode *v = e->kid[1];
    if (e->op == RG_COP_ADD_SET) return never_negative(p->t, v) ? UP : NOWHERE;
    if (e->op != RG_COP_SET) return NOWHERE;
    if (v->op == RG_COP_ADD && is_scalar(v->kid[0], var)) return never_negative(p->t, v->kid[1]) ? UP : NOWHERE;
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
static bool goes(const struct pruned *p, int var, const struct rg_cnode *n, struct conditions *around, enum way *way)
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

/* if (..) break; as a statement of its own: where it stands. */
static bool exit_at(struct pruned *p, struct rg_cnode *n, struct rg_cnode **block, int *at)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return false;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *x = n->kid[i];
        if (!x || rg__c_is_expr(x)) continue;
        if (n->kind == RG_C_BLOCK && x->kind == RG_C_IF && x->n == 2 && x->kid[1]->kind == RG_C_BLOCK &&
            x->kid[1]->n == 1 && x->kid[1]->kid[0]->kind == RG_C_BREAK && prunes(p, x->kid[0], false)) {
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

static bool without_exit(struct rg_ctree *t, const struct rg_cnode *around, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at], *where = NULL, *parts[RG__SEARCH_PARTS] = {0}, *bound = NULL;
    struct pruned p = {.t = t, .around = around, .inner = f, .block = block, .at = at};
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
    const struct rg_cnode *use = at + 1 < block->n ? block->kid[at + 1] : NULL;
    struct conditions none = {0};
    enum way way = NOWHERE;
    if (!use || use->kind != RG_C_IF || use->n > 2 || !rg__c_pure(t, use->kid[0]) || !skipped(&p, use->kid[0]) ||
        !rg__c_writes_var(use->kid[1], p.extreme) || !goes(&p, p.value, f->kid[3], &none, &way) || way != p.way)
        return false;
    if (!left_to(&p, use) || stores(&p, f->kid[3]) || rg__search_wild(t->n_vars, f, f->kid[3]) ||
        rg__search_wild(t->n_vars, f, h.upper))
        return false;
    if (part >= 0) {
        f->kid[1] = bound;
    } else {
        struct rg__kids nothing = {0};
        rg__block_splice(t, where, place, 1, &nothing);
    }
    return true;
}

/* Loops that stand in one alone: those inside others have a thread each, which saves work as the C does. */
static void inside(struct rg_ctree *t, const struct rg_cnode *around)
{
    struct rg_cnode *body = around->kid[3];
    for (int i = 0; body && body->kind == RG_C_BLOCK && i < body->n; i++)
        if (body->kid[i]->kind == RG_C_FOR) without_exit(t, around, body, i);
}

static bool visit(void *arg, struct rg_cnode *n)
{
    if (n->kind == RG_C_FOR) inside(arg, n);
    return n->kind == RG_C_BLOCK || n->kind == RG_C_IF;
}

void rg__canon_pruned(struct rg_ctree *t)
{
    rg__c_walk(t->root, visit, t);
}
