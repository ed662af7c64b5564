/* Loops whose step is no number: `for (i = a; i + win <= n; i += win)`, `while (row < end) { ..; row += len; }`. They
 * run from 0 by 1, and the counter is a + k * step:
 *     for (k = 0; k < n / win; k++) { int i = a + k * win; .. }
 * How often they run is a quotient of parameters, or their whole part where the distance is a product with the step.
 * The step must be at least 1, which the problem asks for: a loop by 0 has no end. */
#include "frontend/infer/infer.h"
#include "frontend/load.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/size_symbols.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

struct stepped {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg__range *r;
};

struct found {                                /* what the loop says */
    int var;                                  /* its counter */
    bool declared;                            /* in the header */
    const struct rg_cnode *first, *cond, *by; /* of parameters: where it begins, the step */
    struct rg_cnode *body;
};

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* With the values of locals that are set once. */
static const struct rg_cnode *of_parameters(struct rg_ctree *t, const struct rg_cnode *e)
{
    for (int v = 0; v < t->n_vars; v++) {
        const struct rg_cnode *is = rg__c_mentions_var(e, v) ? rg__doubling_value(t, v) : NULL;
        if (is) e = rg__c_replace_var(t, rg__c_copy(t, e), v, is);
    }
    return rg__scalar_is_int(e->type) && rg__c_of_params(t, e) ? e : NULL;
}

/* v += s, v = v + s */
static const struct rg_cnode *step_of(const struct rg_cnode *e, int *var)
{
    if (e && e->kind == RG_C_STMT) e = e->kid[0];
    if (!e || e->kind != RG_C_ASSIGN || !scalar(e->kid[0])) return NULL;
    *var = e->kid[0]->var;
    if (e->op == RG_COP_ADD_SET) return e->kid[1];
    const struct rg_cnode *v = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    if (e->op != RG_COP_SET || v->kind != RG_C_BINARY || v->op != RG_COP_ADD) return NULL;
    return rg__doubling_var(v->kid[0], *var) ? v->kid[1] : rg__doubling_var(v->kid[1], *var) ? v->kid[0] : NULL;
}

/* What the counter has in front of statement `at`: by the statements right before it. */
static const struct rg_cnode *begins(const struct rg_cnode *block, int at, int var)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *v = rg__doubling_set(block->kid[i], var);
        if (v) return v;
        if (rg__c_writes_var(block->kid[i], var)) return NULL;
    }
    return NULL;
}

static bool read_loop(struct stepped *x, struct rg_cnode *block, int at, struct found *f)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *n = block->kid[at];
    const struct rg_cnode *init = NULL, *by;
    *f = (struct found){.var = -1};
    if (n->kind == RG_C_FOR && n->kid[1] && n->kid[2]) {
        init = n->kid[0];
        if (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
        if (init && init->kind == RG_C_BLOCK) return false;
        f->cond = n->kid[1];
        f->body = n->kid[3];
        by = step_of(n->kid[2], &f->var);
    } else if (n->kind == RG_C_WHILE && n->kid[1]->kind == RG_C_BLOCK && n->kid[1]->n) {
        f->cond = n->kid[0];
        f->body = n->kid[1];
        by = step_of(f->body->kid[f->body->n - 1], &f->var);
        if (rg__continues_loop(f->body)) return false;
    } else {
        return false;
    }
    if (!by || f->body->kind != RG_C_BLOCK || !rg__scalar_is_int(t->vars[f->var].type) ||
        rg_scalar_bytes(t->vars[f->var].type) < 4 || rg__leaves_early(f->body) ||
        rg__doubling_writes(f->body, f->var) != (n->kind == RG_C_WHILE))
        return false;
    f->declared = init && init->kind == RG_C_DECL && init->var == f->var;
    f->first = init ? rg__doubling_set(init, f->var) : begins(block, at, f->var);
    f->by = of_parameters(t, by);
    f->first = f->first ? of_parameters(t, f->first) : NULL;
    double number;
    return f->by && f->first && !rg__round_number(f->by, &number);
}

/* What is no polynomial is a whole part of parameters alone, win / 2. */
static bool plain_atoms(const struct stepped *x)
{
    for (int i = 0; i < x->r->n_atoms; i++) {
        const struct rg_cnode *e = rg__c_uncast(x->r->atoms[i], RG__C_INT_CASTS);
        if (e->kind != RG_C_BINARY || e->op != RG_COP_DIV || !rg__c_of_params(x->t, e->kid[0]) ||
            e->kid[1]->kind != RG_C_INT || e->kid[1]->ivalue < 1)
            return false;
    }
    return true;
}

/* The distance that the counter goes, of `i < b`, `i + e <= b`: the loop runs while less than that is behind it. */
static bool distance(struct stepped *x, const struct found *f, struct rg__poly *gap)
{
    const struct rg_cnode *c = rg__c_uncast(f->cond, RG__C_CASTS), *side[2];
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || !rg__scalar_is_int(c->kid[0]->type) ||
        !rg__scalar_is_int(c->kid[1]->type))
        return false;
    const bool low = c->op == RG_COP_LT || c->op == RG_COP_LE, strict = c->op == RG_COP_LT || c->op == RG_COP_GT;
    if (!low && c->op != RG_COP_GT && c->op != RG_COP_GE) return false;
    struct rg__poly p[2], one = rg__poly_int(!strict), coef, rest, first = rg__poly_of(x->r, f->first);
    for (int i = 0; i < 2; i++) {
        side[i] = c->kid[low ? i : 1 - i]; /* side 0 < side 1 */
        for (int v = 0; v < x->t->n_vars; v++) {
            const struct rg_cnode *is =
                v != f->var && rg__c_mentions_var(side[i], v) ? rg__doubling_value(x->t, v) : NULL;
            if (is) side[i] = rg__c_replace_var(x->t, rg__c_copy(x->t, side[i]), v, is);
        }
        p[i] = rg__poly_of(x->r, side[i]);
    }
    struct rg__poly over = rg__poly_add(&p[1], &p[0], -1);
    int64_t k;
    if (over.bad || first.bad || !rg__poly_split(&over, f->var, &coef, &rest) || !rg__poly_is_int(&coef, &k) ||
        k != -1 || !plain_atoms(x))
        return false;
    rest = rg__poly_add(&rest, &one, 1);
    *gap = rg__poly_add(&rest, &first, -1);
    return !gap->bad;
}

/* The expression is of parameters alone, and where one of them has no sign it is a sum: nothing falls below 0 on the
 * way that C would compute otherwise. */
static bool safe(struct stepped *x, const struct rg__poly *p, const struct rg_cnode *e)
{
    bool falls = false;
    for (int i = 0; i < p->n; i++) falls = falls || (p->terms[i].c < 0 && p->terms[i].degree);
    for (int v = 0; v < x->t->n_vars; v++) {
        if (!rg__c_mentions_var(e, v)) continue;
        if (x->t->vars[v].kind != RG_CVAR_PARAM || (falls && !rg_scalar_is_signed(x->t->vars[v].type))) return false;
    }
    return true;
}

/* How often the loop runs, where that is more than 0; NULL: it has no such form. */
static struct rg_cnode *trips(struct stepped *x, const struct found *f)
{
    struct rg__poly gap, by, coef, rest, one = rg__poly_int(1), sum;
    int64_t none;
    if (!distance(x, f, &gap)) return NULL;
    by = rg__poly_of(x->r, f->by);
    const struct rg_cnode *var = rg__c_uncast(f->by, RG__C_INT_CASTS);
    if (scalar(var) && rg__poly_split(&gap, var->var, &coef, &rest) && rg__poly_is_int(&rest, &none) && !none) {
        struct rg_cnode *whole = rg__poly_node(x->r, &coef);
        return whole && safe(x, &coef, whole) ? whole : NULL;
    }
    sum = rg__poly_add(&gap, &by, 1);
    sum = rg__poly_add(&sum, &one, -1);
    struct rg_cnode *up = sum.bad || by.bad || !plain_atoms(x) ? NULL : rg__poly_node(x->r, &sum);
    if (!up || !safe(x, &sum, up)) return NULL;
    struct rg_cnode *count = rg__c_binary(x->t, RG_COP_DIV, up, rg__c_copy(x->t, f->by));
    return rg__derive_symbol(x->l, rg_arena_printf(&x->t->arena, "%s_steps", x->t->vars[f->var].name), count);
}

/* low <= e, which the problem asks for; NULL: it has no such form. */
static const struct rg_expr *at_least(struct stepped *x, int64_t low, const struct rg_cnode *e)
{
    struct rg_cnode *least = rg__c_binary(x->t, RG_COP_LE, rg__c_int(x->t, low), rg__c_copy(x->t, e));
    return rg__c_to_expr(x->t, rg__c_strip_int_casts(least), &x->l->p->arena);
}

/* The step is at least 1, and whole parts are of what is not negative. */
static bool positive(struct stepped *x, const struct rg_cnode *by)
{
    const struct rg_expr *asked[1 + RG__MAX_ATOMS] = {at_least(x, 1, by)};
    for (int i = 0; i < x->r->n_atoms; i++)
        asked[1 + i] = at_least(x, 0, rg__c_uncast(x->r->atoms[i], RG__C_INT_CASTS)->kid[0]);
    for (int i = 0; i <= x->r->n_atoms; i++)
        if (!asked[i]) return false;
    for (int i = 0; i <= x->r->n_atoms; i++) rg__add_require(x->l->p, asked[i]);
    return true;
}

/* a + k * step */
static struct rg_cnode *value_at(struct rg_ctree *t, const struct found *f, struct rg_cnode *k)
{
    struct rg_cnode *v = rg__c_binary(t, RG_COP_MUL, k, rg__c_copy(t, f->by));
    if (f->first->kind != RG_C_INT || f->first->ivalue) v = rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, f->first), v);
    return rg__c_cast(t, v, t->vars[f->var].type);
}

/* Where the counter begins at 0, counter / step is k. */
static void whole_steps(struct rg_ctree *t, struct rg_cnode *n, const struct found *f, int own, int k)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *e = n->kid[i];
        if (!e) continue;
        whole_steps(t, e, f, own, k);
        if (e->kind == RG_C_BINARY && e->op == RG_COP_DIV && rg__doubling_var(e->kid[0], own) &&
            rg__c_same(of_parameters(t, e->kid[1]) ? of_parameters(t, e->kid[1]) : e, f->by, RG__C_UNCAST))
            n->kid[i] = rg__c_cast(t, rg__c_var(t, k), e->type);
    }
}

static int remake(struct stepped *x, struct rg_cnode *block, int at, const struct found *f, struct rg_cnode *count)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *n = block->kid[at], *loop = rg_cnode_new(t, RG_C_FOR, 4);
    const enum rg_scalar type = t->vars[f->var].type;
    const int k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, type),
              own = rg__c_add_var(t, t->vars[f->var].name, RG_CVAR_LOCAL, type);
    struct rg__kids body = {0}, all = {0};
    rg__kids_add(&body, rg__doubling_declaration(t, own, value_at(t, f, rg__c_var(t, k)), n));
    for (int i = 0; i < f->body->n - (n->kind == RG_C_WHILE); i++)
        rg__kids_add(&body, rg__c_replace_var(t, f->body->kid[i], f->var, rg__c_var(t, own)));
    loop->kid[0] = rg__doubling_declaration(t, k, rg__c_int(t, 0), n);
    loop->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), rg__c_cast(t, count, type));
    loop->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_cast(t, rg__c_int(t, 1), type));
    loop->kid[3] = rg__kids_node(t, RG_C_BLOCK, &body);
    if (f->first->kind == RG_C_INT && !f->first->ivalue) whole_steps(t, loop->kid[3], f, own, k);
    loop->line = loop->kid[3]->line = n->line;
    loop->column = n->column;
    loop->parallel_hint = n->parallel_hint;
    rg__kids_add(&all, loop);
    if (!f->declared) { /* what is left of it, where somebody asks */
        struct rg_cnode *end = rg_cnode_new(t, RG_C_COND, 3);
        end->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_int(t, 0), rg__c_copy(t, count));
        end->kid[1] = value_at(t, f, rg__c_copy(t, count));
        end->kid[2] = rg__c_cast(t, rg__c_copy(t, f->first), type);
        end->type = type;
        struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, f->var), end));
        s->line = n->line;
        rg__kids_add(&all, s);
    }
    int added = all.n;
    rg__block_splice(t, block, at, 1, &all);
    return added;
}

static void walk(struct stepped *x, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(x, n->kid[i]);
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        struct found f;
        if (!n->kid[i] || !read_loop(x, n, i, &f)) continue;
        rg__range_init(x->r, x->t, NULL);
        struct rg_cnode *count = trips(x, &f);
        if (count && positive(x, f.by)) i += remake(x, n, i, &f, count) - 1;
    }
}

enum rg_status rg__canon_parametric_steps(struct rg__load *l)
{
    struct stepped x = {l, l->t, rg_xmalloc(sizeof *x.r)};
    if (!rg__mentions_kind(l->t->root, RG_C_VERBATIM)) walk(&x, l->t->root);
    free(x.r);
    return RG_OK;
}
