/* Steps that the body takes whole: for (r = 0; r < h; r += 2) with rows r and r + 1, as images are gone through by
 * quads or blocks. At sizes that are no multiple of the step the C leaves its rows, so they are taken to be multiples,
 * which becomes a requirement of the problem; the loop runs to h - 1 then, from which it follows that the row r + 1 is
 * below h. Not where somebody gave a size that is no multiple. */
#include "frontend/infer/infer.h"
#include "frontend/load.h"
#include "frontend/normalise/canon.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_STEP = 64, MOST_SEEN = 64 };

struct seen { /* a subscript's share: coef * counter + rest */
    int array, dim;
    struct rg__poly coef, rest;
};

struct step {
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    struct rg__range *r;
    int n;
    struct seen seen[MOST_SEEN];
    bool whole;
};

/* Is it what the counter is multiplied with, times a number below the step? */
static bool part_of_step(const struct step *s, const struct rg__poly *coef, const struct rg__poly *d)
{
    const int64_t step = s->loop->step;
    for (int64_t j = 1; j < step; j++) {
        struct rg__poly k = rg__poly_int(j), by = rg__poly_mul(&k, coef), minus = rg__poly_int(-1);
        if (by.bad) return false;
        if (rg__poly_equal(d, &by)) return true;
        by = rg__poly_mul(&by, &minus);
        if (rg__poly_equal(d, &by)) return true;
    }
    return false;
}

/* A term coef * x, x being the counter of a short loop inside, or a remainder or quotient of one, that comes to more
 * than 0 and stays below the step. */
static bool goes_along(const struct step *s, const struct seen *x)
{
    for (int i = 0; i < x->rest.n; i++)
        for (int k = 0; k < x->rest.terms[i].degree; k++) {
            struct rg__poly coef, rest, v = rg__poly_var(x->rest.terms[i].var[k]), zero = rg__poly_int(0),
                                        minus = rg__poly_add(&zero, &v, -1), least, most;
            int64_t low, high;
            if (rg__poly_split(&x->rest, x->rest.terms[i].var[k], &coef, &rest) && rg__poly_equal(&coef, &x->coef) &&
                rg__lowest(s->r, &v, &least) && rg__lowest(s->r, &minus, &most) && rg__poly_is_int(&least, &low) &&
                rg__poly_is_int(&most, &high) && low >= 0 && -high > 0 && -high < s->loop->step)
                return true;
        }
    return false;
}

static void note(struct step *s, int array, int dim, const struct rg_cnode *e)
{
    struct rg__poly p = rg__poly_of(s->r, e), coef, rest;
    if (p.bad || s->n == MOST_SEEN || !rg__poly_split(&p, s->loop->var, &coef, &rest) || !coef.n ||
        rg__poly_mentions(&coef, s->loop->var) || rg__poly_mentions(&rest, s->loop->var))
        return;
    for (int i = 0; i < s->r->n_atoms; i++)
        if (rg__poly_mentions(&p, RG__ATOM + i) && rg__c_mentions_var(s->r->atoms[i], s->loop->var)) return;
    for (int i = 0; i < s->n && !s->whole; i++) {
        const struct seen *x = &s->seen[i];
        if (x->array != array || x->dim != dim || !rg__poly_equal(&x->coef, &coef)) continue;
        struct rg__poly d = rg__poly_add(&rest, &x->rest, -1);
        s->whole = part_of_step(s, &coef, &d);
    }
    s->seen[s->n++] = (struct seen){array, dim, coef, rest};
    s->whole = s->whole || goes_along(s, &s->seen[s->n - 1]);
}

/* May the condition keep the last iteration from its accesses? It asks for the counter, the size, or locals, which may
 * hold what was asked of them; or it goes by values that are the same throughout. */
static bool may_leave_out(const struct step *s, const struct rg_cnode *c)
{
    bool inner = false;
    for (int v = 0; v < s->t->n_vars; v++) {
        if (!rg__c_mentions_var(c, v)) continue;
        if (v == s->loop->var || s->t->vars[v].kind == RG_CVAR_LOCAL || rg__c_mentions_var(s->loop->kid[1], v))
            return true;
        inner = inner || s->t->vars[v].kind == RG_CVAR_ITER;
    }
    return !inner;
}

/* Accesses that every iteration makes; conditions of inner counters alone may keep all of them. */
static void look(struct step *s, const struct rg_cnode *n)
{
    if (!n || s->whole || n->kind == RG_C_VERBATIM || n->kind == RG_C_WHILE) return;
    if (n->kind == RG_C_INDEX && !n->pointer)
        for (int d = 0; d < n->n; d++) note(s, n->array, d, n->kid[d]);
    const bool asks = n->kind == RG_C_IF || n->kind == RG_C_COND || n->op == RG_COP_AND || n->op == RG_COP_OR;
    if (asks && may_leave_out(s, n->kid[0])) return;
    if (n->kind == RG_C_LOOP && n != s->loop && rg__c_mentions_var(n->kid[1], s->loop->var)) return;
    const bool inside = n->kind == RG_C_LOOP && s->r->n_loops < RG__MAX_NEST;
    if (inside) s->r->loops[s->r->n_loops++] = n;
    for (int i = 0; i < n->n; i++) look(s, n->kid[i]);
    if (inside) s->r->n_loops--;
}

/* The parameter that the loop runs to from 0 on, in steps of more than one; -1. */
static int bound_of(const struct rg_ctree *t, const struct rg_problem *p, const struct rg_cnode *l)
{
    int64_t from;
    if (l->n != 3 || l->step < 2 || l->step > MOST_STEP || rg__leaves_early(l->kid[2])) return -1;
    if (!rg__c_number(rg__c_uncast(l->kid[0], RG__C_INT_CASTS), &from) || from) return -1;
    const struct rg_cnode *e = rg__c_uncast(l->kid[1], RG__C_INT_CASTS);
    if (e->kind != RG_C_VAR || e->array >= 0 || e->pointer || t->vars[e->var].kind != RG_CVAR_PARAM ||
        t->vars[e->var].assigned || t->vars[e->var].param < 0)
        return -1;
    const struct rg_param *q = &p->params[t->vars[e->var].param];
    return q->kind == RG_PARAM_SCALAR && rg__scalar_is_int(q->elem) && !q->derived ? t->vars[e->var].param : -1;
}

static void require_multiple(struct rg__load *l, struct rg_cnode *loop)
{
    const int param = bound_of(l->t, l->p, loop);
    if (param < 0) return;
    const struct rg_param *q = &l->p->params[param];
    const struct rg_expr *whole;
    const char *text = rg_arena_printf(&l->p->arena, "%s %% %lld == 0", q->name, (long long)loop->step);
    if (rg_expr_parse_all(&l->p->arena, text, &whole, NULL) != RG_OK || !rg__may_hold(l, whole)) return;
    struct step *s = rg_xcalloc(1, sizeof *s);
    *s = (struct step){.t = l->t, .loop = loop, .r = rg_xmalloc(sizeof *s->r)};
    rg__range_init(s->r, l->t, NULL);
    look(s, loop->kid[2]);
    if (s->whole) {
        const enum rg_scalar type = rg_scalar_is_signed(loop->kid[1]->type) ? loop->kid[1]->type : RG_LLONG;
        rg__add_require(l->p, whole);
        loop->kid[1] = rg__c_binary(l->t, RG_COP_SUB, rg__c_cast(l->t, loop->kid[1], type),
                                    rg__c_cast(l->t, rg__c_int(l->t, loop->step - 1), type));
        rg__note_multiple(l->p, param, loop->step);
    }
    free(s->r);
    free(s);
}

/* The arm that is taken where sizes are above 0 and pointers lead somewhere, 1 or 2; 0: others may decide. */
static int usual_arm(const struct rg_cnode *c)
{
    int64_t k;
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->op == RG_COP_NOT) {
        const int arm = usual_arm(c->kid[0]);
        return arm ? 3 - arm : 0;
    }
    if (c->op == RG_COP_AND || c->op == RG_COP_OR) {
        const int a = usual_arm(c->kid[0]), b = usual_arm(c->kid[1]);
        return a == b ? a : 0;
    }
    if (c->kind == RG_C_VAR && c->pointer) return 1;
    if (c->kind != RG_C_BINARY || !rg__c_number(rg__c_uncast(c->kid[1], RG__C_INT_CASTS), &k)) return 0;
    const struct rg_cnode *e = rg__c_uncast(c->kid[0], RG__C_INT_CASTS);
    if (e->kind != RG_C_VAR) return 0;
    if (e->pointer) return c->op == RG_COP_NE ? 1 : c->op == RG_COP_EQ ? 2 : 0;
    if ((c->op == RG_COP_GT && k == 0) || (c->op == RG_COP_GE && k == 1)) return 1;
    return (c->op == RG_COP_LE && k == 0) || (c->op == RG_COP_LT && (k == 0 || k == 1)) ? 2 : 0;
}

/* Not in arms that other sizes or values leave out: the C is right there for sizes that are no multiples. */
static void walk(struct rg__load *l, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    if (n->kind == RG_C_LOOP) require_multiple(l, n);
    const int arm = n->kind == RG_C_IF ? usual_arm(n->kid[0]) : 0;
    for (int i = 0; i < n->n; i++)
        if (n->kind != RG_C_IF || i == arm) walk(l, n->kid[i]);
}

enum rg_status rg__canon_step_multiples(struct rg__load *l)
{
    if (!rg__mentions_kind(l->t->root, RG_C_VERBATIM)) walk(l, l->t->root);
    return RG_OK;
}
