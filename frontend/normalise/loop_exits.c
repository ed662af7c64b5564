/* Loop exits as predicates: loops around other loops that end when their data says so (while (err > tol && it < max),
 * a break, a return) become loops with a flag: computed where the condition stood, asked for before every iteration.
 * Small ones, that search or iterate on scalars, stay opaque: one thread runs those anyway. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/counted_loops.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/loop_exits.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- conditions ---- */

struct parts {
    int n;
    struct rg_cnode *item[8];
};

static void conjuncts(struct rg_cnode *c, struct parts *p)
{
    if (c->op == RG_COP_AND && p->n < 6) {
        conjuncts(c->kid[0], p);
        conjuncts(c->kid[1], p);
    } else if (p->n < 8) {
        p->item[p->n++] = c;
    }
}

/* Of parameters and numbers alone. */
static bool fixed(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *body)
{
    if (e->kind == RG_C_VAR)
        return e->array < 0 && rg__scalar_is_int(t->vars[e->var].type) && !rg__c_writes_var(body, e->var);
    if (e->kind != RG_C_INT && e->kind != RG_C_BINARY && e->kind != RG_C_CAST) return false;
    for (int i = 0; i < e->n; i++)
        if (!fixed(t, e->kid[i], body)) return false;
    return true;
}

/* The upper bound that one part, `var < e` or `var <= e`, is; NULL for others. */
static struct rg_cnode *bound_of(struct rg_ctree *t, const struct rg_cnode *c, int var, const struct rg_cnode *body)
{
    if ((c->op != RG_COP_LT && c->op != RG_COP_LE)) return NULL;
    const struct rg_cnode *l = rg__c_uncast(c->kid[0], RG__C_INT_CASTS);
    if (l->kind != RG_C_VAR || l->array >= 0 || (var >= 0 && l->var != var) || !fixed(t, c->kid[1], body) ||
        rg__c_mentions_var(c->kid[1], l->var))
        return NULL;
    struct rg_cnode *e = rg__c_copy(t, c->kid[1]);
    return c->op == RG_COP_LE ? rg__c_binary(t, RG_COP_ADD, e, rg__c_int(t, 1)) : e;
}

static struct rg_cnode *conjunction(struct rg_ctree *t, const struct parts *p, int without)
{
    struct rg_cnode *all = NULL;
    for (int i = 0; i < p->n; i++)
        if (i != without) {
            struct rg_cnode *c = rg__exit_truth(t, rg__c_copy(t, p->item[i]));
            all = all ? rg__c_binary(t, RG_COP_AND, all, c) : c;
        }
    return all ? all : rg__c_int(t, 1);
}

/* ---- loops ---- */

struct shape {
    struct rg_cnode *init, *cond, *step, *body;
    bool at_end; /* do ... while */
};

static bool shape_of(struct rg_ctree *t, struct rg_cnode *n, struct shape *s)
{
    memset(s, 0, sizeof *s);
    if (n->kind == RG_C_WHILE)
        s->cond = n->kid[0], s->body = n->kid[1];
    else if (n->kind == RG_C_DO)
        s->body = n->kid[0], s->cond = n->kid[1], s->at_end = true;
    else if (n->kind == RG_C_FOR)
        s->init = n->kid[0], s->cond = n->kid[1], s->step = n->kid[2], s->body = n->kid[3];
    else
        return false;
    if (s->cond && !rg__c_pure(t, s->cond)) return false;
    if (!s->body || s->body->kind != RG_C_BLOCK || !rg__c_has_loop(s->body)) return false;
    return !rg__mentions_kind(s->body, RG_C_CONTINUE) && !rg__mentions_kind(s->body, RG_C_VERBATIM) &&
           !rg__mentions_kind(s->body, RG_C_SWITCH);
}

/* do { ... } while (moved && ++i < n): the parts of a condition that steps a variable, as statements that leave the
 * loop, so that it is for (;;). */
static struct rg_cnode *without_steps(struct rg_ctree *t, struct rg_cnode *n)
{
    struct rg_cnode *cond = n->kind == RG_C_WHILE ? n->kid[0]
                            : n->kind == RG_C_DO  ? n->kid[1]
                                                  : NULL,
                    *body = n->kid[n->kind == RG_C_WHILE ? 1 : 0];
    struct parts p = {0};
    if (!cond || rg__c_pure(t, cond) || body->kind != RG_C_BLOCK || rg__mentions_kind(body, RG_C_CONTINUE)) return n;
    conjuncts(cond, &p);
    struct rg__kids tests = {0}, all = {0};
    for (int i = 0; i < p.n; i++) {
        struct rg_cnode *c = rg__c_copy(t, p.item[i]);
        rg__c_lift_assignments(t, c, &tests);
        if (!rg__c_pure(t, c)) {
            free(tests.items);
            return n;
        }
        struct rg_cnode *leave = rg_cnode_new(t, RG_C_IF, 2), *arm = rg_cnode_new(t, RG_C_BLOCK, 1);
        arm->kid[0] = rg_cnode_new(t, RG_C_BREAK, 0);
        leave->kid[0] = rg__c_unary(t, RG_COP_NOT, rg__exit_truth(t, c));
        leave->kid[1] = arm;
        arm->line = leave->line = arm->kid[0]->line = n->line;
        rg__kids_add(&tests, leave);
    }
    for (int i = 0; n->kind == RG_C_DO && i < body->n; i++) rg__kids_add(&all, body->kid[i]);
    for (int i = 0; i < tests.n; i++) rg__kids_add(&all, tests.items[i]);
    for (int i = 0; n->kind == RG_C_WHILE && i < body->n; i++) rg__kids_add(&all, body->kid[i]);
    free(tests.items);
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->kid[0] = f->kid[1] = f->kid[2] = NULL;
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, &all);
    f->line = n->line;
    f->column = n->column;
    return f;
}

/* i = lower; i++ of a variable that the body leaves alone. */
static bool counter_of(const struct shape *s, int *var, struct rg_cnode **lower, bool *declared)
{
    const struct rg_cnode *i = s->init, *e = s->step;
    if (!i || !e) return false;
    if (i->kind == RG_C_BLOCK && i->n == 1) i = i->kid[0];
    if (e->kind == RG_C_STMT) e = e->kid[0];
    *declared = i->kind == RG_C_DECL;
    if (i->kind == RG_C_STMT) i = i->kid[0];
    if (*declared) {
        if (i->array >= 0 || !i->n) return false;
        *var = i->var;
        *lower = i->kid[0];
    } else {
        if (i->op != RG_COP_SET || i->kid[0]->kind != RG_C_VAR || i->kid[0]->array >= 0) return false;
        *var = i->kid[0]->var;
        *lower = i->kid[1];
    }
    const struct rg_cnode *by = e->op == RG_COP_ADD_SET ? rg__c_uncast(e->kid[1], RG__C_INT_CASTS) : NULL;
    bool up = rg_c_increments(e->op) || (by && by->kind == RG_C_INT && by->ivalue == 1);
    return up && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 && e->kid[0]->var == *var &&
           !rg__c_writes_var(s->body, *var);
}

/* Is the condition about the variable that the loop steps? */
static bool steps_what(const struct shape *s, const struct rg_cnode *cond)
{
    const struct rg_cnode *e = s->step;
    if (e && e->kind == RG_C_STMT) e = e->kid[0];
    if (!e)
        return cond->kind == RG_C_INCDEC || (cond->kind == RG_C_BINARY && cond->kid[0]->kind == RG_C_INCDEC); /* i-- */
    return e->n && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 && rg__c_mentions_var(cond, e->kid[0]->var);
}

/* k <<= 1, j /= 2, s = s * 2: no counter that takes constant steps. */
static bool multiplies(const struct rg_cnode *e)
{
    if (e && e->kind == RG_C_STMT) e = e->kid[0];
    const struct rg_cnode *v =
        e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_VAR ? rg__c_uncast(e->kid[1], RG__C_INT_CASTS) : NULL;
    if (v && (v->op == RG_COP_MUL || v->op == RG_COP_DIV || v->op == RG_COP_SHL || v->op == RG_COP_SHR))
        return rg__c_mentions_var(v, e->kid[0]->var);
    return e &&
           (e->op == RG_COP_SHL_SET || e->op == RG_COP_SHR_SET || e->op == RG_COP_MUL_SET || e->op == RG_COP_DIV_SET);
}

static bool increment_of(const struct rg_cnode *e, int var)
{
    if (e && e->kind == RG_C_STMT) e = e->kid[0];
    if (!e || !e->n || !e->kid[0]) return false; /* `int j;` has no value */
    if (e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->var != var) return false;
    return rg_c_increments(e->op) || (e->op == RG_COP_ADD_SET && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue >= 1);
}

/* Does every iteration that is not left add to the variable, and nothing else touch it? Then its bound bounds them. */
static bool grows(const struct shape *s, int var)
{
    int times = increment_of(s->step, var);
    if (s->step && !times && rg__c_writes_var(s->step, var)) return false;
    for (int i = 0; i < s->body->n; i++) {
        if (increment_of(s->body->kid[i], var))
            times++;
        else if (rg__c_writes_var(s->body->kid[i], var))
            return false;
    }
    return times > 0;
}

/* The last value a number that is not negative was given in front of the loop. */
static bool starts_at_least_0(const struct rg_cnode *block, int at, int var)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *s = block->kid[i], *v = NULL;
        if (s->kind == RG_C_DECL && s->var == var && s->array < 0)
            v = s->n ? s->kid[0] : NULL;
        else if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && s->kid[0]->kid[0]->kind == RG_C_VAR &&
                 s->kid[0]->kid[0]->var == var && s->kid[0]->kid[0]->array < 0)
            v = s->kid[0]->kid[1];
        else if (!rg__c_writes_var(s, var))
            continue;
        return v && rg__c_uncast(v, RG__C_INT_CASTS)->kind == RG_C_INT && rg__c_uncast(v, RG__C_INT_CASTS)->ivalue >= 0;
    }
    return false;
}

static bool rewrite(struct rg_ctree *t, struct rg_cnode *block, int at, int done, int ret, struct rg__kids *out)
{
    struct rg_cnode *n = without_steps(t, block->kid[at]), *lower = NULL, *upper = NULL, *rest;
    struct shape s;
    struct parts p = {0};
    int var = -1, bound_at = -1, down = rg__counts_down(t, n), from = -1;
    bool declared = false;
    if (down >= 0 && n->kid[3]->kind == RG_C_BLOCK && rg__leaves_early(n->kid[3])) {
        from = rg__c_add_var(t, t->vars[down].name, RG_CVAR_LOCAL, t->vars[down].type);
        n = rg__counted_up(t, n, down, from);
    }
    if (!shape_of(t, n, &s)) return false;
    if (s.cond) conjuncts(s.cond, &p);
    if (n->kind == RG_C_FOR && !rg__leaves_early(s.body) && p.n == 1 && steps_what(&s, p.item[0]) &&
        !multiplies(s.step))
        return false; /* a plain loop */
    bool counted = n->kind == RG_C_FOR && counter_of(&s, &var, &lower, &declared) && rg__c_pure(t, lower);
    for (int i = 0; i < p.n && !upper && !s.at_end; i++) {
        upper = bound_of(t, p.item[i], counted ? var : -1, s.body);
        int by = upper ? rg__c_uncast(p.item[i]->kid[0], RG__C_INT_CASTS)->var : -1;
        if (upper && !counted && (!grows(&s, by) || !starts_at_least_0(block, at, by))) upper = NULL;
        if (upper) bound_at = i;
    }
    counted = counted && upper;
    if (from >= 0 && !counted) return false;
    struct rg__exits u = {.t = t, .done = done, .ret = ret};
    u.go = rg__c_add_var(t, "go_on", RG_CVAR_LOCAL, RG_I32);
    int iter =
        rg__c_add_var(t, counted ? t->vars[var].name : "round", RG_CVAR_ITER, counted ? t->vars[var].type : RG_I32);
    struct rg__kids tail = {0}, first = {0}, inside = {0};
    struct rg_cnode *body = rg__c_copy(t, s.body), *i = rg__c_var(t, iter);
    rest = conjunction(t, &p, counted ? bound_at : -1);
    if (counted) {
        struct rg_cnode *next =
            rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, i), rg__c_cast(t, rg__c_int(t, 1), t->vars[var].type));
        if (!declared) rg__kids_add(&first, rg__exit_set(t, var, rg__c_copy(t, lower), n));
        struct rg_cnode *start = rg__c_replace_var(t, rg__c_copy(t, rest), var, lower);
        rg__kids_add(&first, rg__exit_set(t, u.go, start, n));
        body = rg__c_replace_var(t, body, var, i);
        if (!declared) rg__kids_add(&tail, rg__exit_set(t, var, rg__c_copy(t, next), n));
        if (p.n > 1) rg__kids_add(&tail, rg__exit_set(t, u.go, rg__c_replace_var(t, rest, var, next), n));
    } else {
        if (s.init && s.init->kind == RG_C_BLOCK)
            for (int k = 0; k < s.init->n; k++) rg__kids_add(&first, s.init->kid[k]);
        else if (s.init)
            rg__kids_add(&first, rg__c_is_expr(s.init) ? rg__c_stmt(t, s.init) : s.init);
        rg__kids_add(&first, rg__exit_set(t, u.go, s.at_end ? rg__c_int(t, 1) : rg__c_copy(t, rest), n));
        if (s.step) rg__kids_add(&tail, rg__c_is_expr(s.step) ? rg__c_stmt(t, s.step) : s.step);
        const struct rg_cnode *always = rg__c_uncast(rest, RG__C_CASTS);
        if (always->kind != RG_C_INT || !always->ivalue) /* for (;;): whoever comes there goes on already */
            rg__kids_add(&tail, rg__exit_set(t, u.go, rest, n));
        lower = rg__c_int(t, 0);
        if (!upper) upper = rg__c_int(t, INT32_MAX);
    }
    rg__exit_emit(&u, body->kid, body->n, &tail, &inside);
    if (u.bad) {
        free(tail.items);
        free(first.items);
        free(inside.items);
        return false;
    }
    free(tail.items);
    struct rg_cnode *flag = rg_cnode_new(t, RG_C_DECL, 0);
    flag->var = u.go;
    flag->type = RG_I32;
    flag->line = n->line;
    rg__kids_add(out, flag);
    if (from >= 0) rg__kids_add(out, rg__doubling_declaration(t, from, rg__c_var(t, down), n));
    for (int k = 0; k < first.n; k++) rg__kids_add(out, first.items[k]);
    free(first.items);
    struct rg_cnode *l = rg_cnode_new(t, RG_C_LOOP, 4);
    l->var = iter;
    l->step = 1;
    l->kid[0] = rg__c_copy(t, lower);
    l->kid[1] = upper;
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &inside);
    l->kid[3] = rg__c_var(t, u.go);
    l->line = n->line;
    l->column = n->column;
    rg__kids_add(out, l);
    if (from >= 0) { /* the condition that ended it has stepped once more */
        struct rg_cnode *one = rg__c_cast(t, rg__c_int(t, 1), t->vars[down].type),
                        *step = rg__exit_set(t, down, rg__c_binary(t, RG_COP_SUB, rg__c_var(t, down), one), n);
        rg__exit_when(&u, true, &step, 1, out);
    }
    return true;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i]);
    if (n->kind != RG_C_BLOCK) return;
    for (int i = 0; i < n->n; i++) {
        struct rg__kids with = {0};
        bool returns = rg__mentions_kind(n->kid[i], RG_C_RETURN);
        int done = -1, ret = -1;
        if (returns) { /* only where a return is all that follows */
            const struct rg_cnode *last = i + 2 == n->n ? n->kid[i + 1] : NULL;
            bool value = t->result_array >= 0;
            if (n != t->root ||
                (value ? !last || last->kind != RG_C_RETURN || !last->n || !rg__c_pure(t, last) : i + 1 != n->n))
                continue;
            done = rg__c_add_var(t, "left", RG_CVAR_LOCAL, RG_I32);
            ret = value ? rg__c_add_var(t, "value", RG_CVAR_LOCAL, t->arrays[t->result_array].elem) : done;
        }
        if (!rewrite(t, n, i, done, ret, &with)) continue;
        if (returns) {
            struct rg__kids all = {0};
            int vars[2] = {done, ret};
            for (int k = 0; k < 2 && (k == 0 || ret != done); k++) {
                struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
                d->var = vars[k];
                d->type = t->vars[vars[k]].type;
                d->kid[0] = rg__c_cast(t, rg__c_int(t, 0), d->type);
                d->line = n->kid[i]->line;
                rg__kids_add(&all, d);
            }
            for (int k = 0; k < with.n; k++) rg__kids_add(&all, with.items[k]);
            free(with.items);
            with = all;
            if (ret != done) {
                struct rg_cnode *r = n->kid[i + 1], *c = rg_cnode_new(t, RG_C_COND, 3);
                c->kid[0] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, done), rg__c_int(t, 0));
                c->kid[1] = rg__c_var(t, ret);
                c->kid[2] = rg__c_cast(t, r->kid[0], t->vars[ret].type);
                c->type = t->vars[ret].type;
                r->kid[0] = c;
            }
        }
        int added = with.n;
        rg__block_splice(t, n, i, 1, &with);
        i += added - 1;
    }
}

static struct rg_cnode *declared(struct rg_ctree *t, int var, const struct rg_cnode *at)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    d->kid[0] = rg__c_cast(t, rg__c_int(t, 0), d->type);
    d->line = at->line;
    return d;
}

/* A block that all paths end with: returns out of its loops set `done` and `ret`, what follows them is asked whether it
 * is still to run, and what it returns at its own end is assigned. */
static bool without_returns(struct rg_ctree *t, struct rg_cnode *block, int done, int ret)
{
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        bool last = i + 1 == block->n;
        if (!rg__mentions_kind(s, RG_C_RETURN)) continue;
        if (s->kind == RG_C_RETURN && last) {
            if (s->n)
                block->kid[i] = rg__exit_set(t, ret, rg__c_cast(t, s->kid[0], t->vars[ret].type), s);
            else
                block->n--;
            return true;
        }
        if (s->kind == RG_C_IF && last) {
            for (int k = 1; k < s->n; k++)
                if (s->kid[k] && (s->kid[k]->kind != RG_C_BLOCK || !without_returns(t, s->kid[k], done, ret)))
                    return false;
            return true;
        }
        struct rg__kids with = {0}, rest = {0};
        if (!rewrite(t, block, i, done, ret, &with)) return false;
        for (int k = i + 1; k < block->n; k++) rg__kids_add(&rest, block->kid[k]);
        if (rest.n) {
            struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2);
            x->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, done), rg__c_int(t, 0));
            x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &rest);
            x->line = x->kid[1]->line = s->line;
            rg__kids_add(&with, x);
            if (!without_returns(t, x->kid[1], done, ret)) {
                free(with.items);
                return false;
            }
        }
        rg__block_splice(t, block, i, block->n - i, &with);
        return true;
    }
    return true;
}

static bool loop_returns(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return false;
    bool loop = n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO;
    if (loop && rg__mentions_kind(n, RG_C_RETURN)) return true;
    for (int i = 0; i < n->n; i++)
        if (loop_returns(n->kid[i])) return true;
    return false;
}

/* A function with returns out of loops and more behind them: all of them, or it stays. */
static void all_returns(struct rg_ctree *t)
{
    bool value = t->result_array >= 0;
    if (!loop_returns(t->root) || (value && t->arrays[t->result_array].elem == RG_STRUCT)) return;
    struct rg_cnode *was = t->root, *root = rg__c_copy(t, was);
    int n_vars = t->n_vars, done = rg__c_add_var(t, "left", RG_CVAR_LOCAL, RG_I32);
    int ret = value ? rg__c_add_var(t, "value", RG_CVAR_LOCAL, t->arrays[t->result_array].elem) : done;
    t->root = root;
    if (!without_returns(t, root, done, ret)) {
        t->root = was;
        t->n_vars = n_vars;
        return;
    }
    struct rg__kids front = {0}, end = {0};
    rg__kids_add(&front, declared(t, done, was));
    if (value) {
        struct rg_cnode *r = rg_cnode_new(t, RG_C_RETURN, 1);
        rg__kids_add(&front, declared(t, ret, was));
        r->kid[0] = rg__c_var(t, ret);
        r->line = was->n ? was->kid[was->n - 1]->line : was->line;
        rg__kids_add(&end, r);
        rg__block_splice(t, root, root->n, 0, &end);
    }
    rg__block_splice(t, root, 0, 0, &front);
}

void rg__canon_until(struct rg_ctree *t)
{
    rg__canon_flags_on(t, t->root);
    rg__lift_returns(t);
    walk(t, t->root);
    all_returns(t);
}
