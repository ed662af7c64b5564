/* Counting loops by counters that run from 0 by 1 (recount.h). */
#include "frontend/normalise/recount.h"
#include <stdlib.h>

static const struct rg_cnode *expression(const struct rg_cnode *s)
{
    while (s && s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    return s && s->kind == RG_C_STMT ? s->kid[0] : s;
}

bool rg__counting_read(const struct rg_ctree *t, const struct rg_cnode *loop, struct rg__counting *c)
{
    const struct rg_cnode *init = loop->kind == RG_C_FOR ? loop->kid[0] : NULL,
                          *test = loop->kind == RG_C_FOR ? loop->kid[1] : NULL,
                          *step = test ? expression(loop->kid[2]) : NULL;
    while (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
    if (!step || !step->n || step->kid[0]->kind != RG_C_VAR || step->kid[0]->array >= 0 || step->kid[0]->pointer ||
        loop->kid[3]->kind != RG_C_BLOCK)
        return false;
    *c = (struct rg__counting){.var = step->kid[0]->var, .body = loop->kid[3]};
    const bool turned = test->kind == RG_C_BINARY && !rg__doubling_var(test->kid[0], c->var);
    enum rg_c_op op = test->op;
    if (turned) op = op == RG_COP_GT ? RG_COP_LT : op == RG_COP_GE ? RG_COP_LE : RG_COP_NONE;
    if (test->kind != RG_C_BINARY || (op != RG_COP_LT && op != RG_COP_LE) ||
        !rg__doubling_var(test->kid[turned], c->var))
        return false;
    c->upto = op == RG_COP_LE;
    c->bound = test->kid[!turned];
    for (int i = 0; init && init->kind == RG_C_BLOCK && i < init->n && !c->first; i++)
        c->first = rg__doubling_set(init->kid[i], c->var);
    if (init && init->kind != RG_C_BLOCK) c->first = rg__doubling_set(init, c->var);
    c->alone = c->first && init->kind != RG_C_BLOCK;
    if (step->op == RG_COP_ADD_SET)
        c->step = step->kid[1];
    else if (step->op == RG_COP_SET && step->kid[1]->op == RG_COP_ADD && rg__doubling_var(step->kid[1]->kid[0], c->var))
        c->step = step->kid[1]->kid[1];
    else if (!rg_c_increments(step->op))
        return false;
    return rg__scalar_is_int(t->vars[c->var].type) && rg__c_pure(t, c->bound) &&
           (!c->first || rg__c_pure(t, c->first)) && !rg__c_mentions_var(c->bound, c->var) &&
           rg__doubling_writes(c->body, c->var) == 0 && !rg__leaves_early(c->body);
}

int64_t rg__counting_step(const struct rg__counting *c)
{
    const struct rg_cnode *by = c->step ? rg__c_uncast(c->step, RG__C_INT_CASTS) : NULL;
    if (!by) return 1;
    return by->kind == RG_C_INT && by->ivalue >= 1 && by->ivalue <= 16 ? by->ivalue : 0;
}

/* Shifts by a number are products; locals that are set once, of parameters and numbers, what they are. */
static struct rg_cnode *told(struct rg_ctree *t, const struct rg_cnode *e, int depth)
{
    const struct rg_cnode *plain = rg__c_uncast(e, RG__C_INT_CASTS);
    const struct rg_cnode *value = plain->kind == RG_C_VAR && plain->array < 0 && !plain->pointer && depth < 4
                                       ? rg__doubling_value(t, plain->var)
                                       : NULL;
    if (value) return told(t, value, depth + 1);
    struct rg_cnode *c = rg__c_shallow(&t->arena, plain);
    for (int i = 0; i < c->n; i++) c->kid[i] = told(t, plain->kid[i], depth);
    const struct rg_cnode *by = c->op == RG_COP_SHL ? rg__c_uncast(c->kid[1], RG__C_INT_CASTS) : NULL;
    if (by && by->kind == RG_C_INT && by->ivalue >= 0 && by->ivalue < 16)
        return rg__c_binary(t, RG_COP_MUL, c->kid[0], rg__c_int(t, (int64_t)1 << by->ivalue));
    return c;
}

struct rg__poly rg__counting_value(struct rg__range *r, const struct rg_cnode *e)
{
    return rg__poly_of(r, told((struct rg_ctree *)r->t, e, 0));
}

static struct rg__poly bad(void)
{
    struct rg__poly p = rg__poly_int(0);
    p.bad = true;
    return p;
}

/* p / u, where all of it is a multiple. */
static struct rg__poly part(const struct rg__poly *p, int64_t u)
{
    struct rg__poly q = *p;
    for (int i = 0; i < q.n; i++) {
        if (q.terms[i].c % u) return bad();
        q.terms[i].c /= u;
    }
    return q;
}

struct rg__poly rg__counting_end(struct rg__range *r, const struct rg__counting *c, int64_t from, int64_t u)
{
    struct rg__poly p = rg__counting_value(r, c->bound), less = rg__poly_int(from - c->upto);
    if (p.bad) return bad();
    p = rg__poly_add(&p, &less, -1);
    /* (a u - d) / u, rounded up, where d is below u */
    int64_t constant = 0;
    for (int i = 0; i < p.n; i++)
        if (!p.terms[i].degree) constant = p.terms[i].c;
    const int64_t up = ((-constant) % u + u) % u;
    struct rg__poly add = rg__poly_int(up);
    p = rg__poly_add(&p, &add, 1);
    return part(&p, u);
}

struct rg_cnode *rg__counting_place(struct rg_ctree *t, int64_t from, int64_t u, struct rg_cnode *k, enum rg_scalar as)
{
    struct rg_cnode *e = k;
    if (u != 1) e = rg__c_binary(t, RG_COP_MUL, rg__c_cast(t, rg__c_int(t, u), as), e);
    if (from) e = rg__c_binary(t, RG_COP_ADD, e, rg__c_cast(t, rg__c_int(t, from), as));
    return e;
}

struct rg_cnode *rg__counting_loop(struct rg_ctree *t, int k, struct rg_cnode *first, struct rg_cnode *end,
                                   struct rg_cnode *body, const struct rg_cnode *loop)
{
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->kid[0] = rg__doubling_declaration(t, k, first, loop);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), rg__c_cast(t, end, t->vars[k].type));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_cast(t, rg__c_int(t, 1), t->vars[k].type));
    f->kid[3] = body;
    f->line = loop->line;
    f->column = loop->column;
    return f;
}

/* ---- nests in rounds ---- */

struct nest {
    struct rounds *r;
    struct rg_ctree *t;
    struct rg__range *range;
    struct rg_cnode *node, *inner;
    int at; /* of the outer loop's body, the inner one */
    bool strides_outside;
    struct rg__counting strides, counts;
    int64_t unit, counts_from, strides_from;
    int pairs; /* with a unit above 1: the rounds' variable in units */
};

/* What stands in front of the inner loop says what e is, too. */
static struct rg_cnode *by_front(struct nest *n, const struct rg_cnode *e)
{
    struct rg_ctree *t = n->t;
    const struct rg_cnode *body = n->node->kid[3], *plain = rg__c_uncast(e, RG__C_INT_CASTS);
    if (plain->kind != RG_C_VAR || plain->array >= 0 || rg__doubling_writes(n->node, plain->var) != 1)
        return rg__c_copy(t, e);
    for (int i = 0; i < n->at; i++) {
        struct rg_cnode *v = rg__doubling_set(body->kid[i], plain->var);
        if (v && rg__c_pure(t, v)) return rg__c_copy(t, v);
    }
    return rg__c_copy(t, e);
}

/* Everything that is a multiple of the rounds' variable, as one of `pairs`; false: one is no whole multiple. */
static bool in_pairs(struct nest *n, struct rg_cnode *e, int here)
{
    struct rg_ctree *t = n->t;
    for (int i = 0; e && i < e->n; i++) {
        struct rg_cnode *k = e->kid[i];
        struct scale s;
        if (k && k->kind == RG_C_VAR && k->array < 0 && !k->pointer &&
            (k->var == n->r->var || !rg__c_declares(n->node, k->var)) && rg__scalar_is_int(t->vars[k->var].type) &&
            rg__doubling_scale(n->r, k, here, here, 0, &s)) {
            if (s.num * n->unit % s.den || rg__doubling_writes(n->node, k->var)) return false;
            const enum rg_scalar as = t->vars[k->var].type;
            struct rg_cnode *value = rg__c_cast(t, rg__c_var(t, n->pairs), as);
            const int64_t times = s.num * n->unit / s.den;
            e->kid[i] = times == 1 ? value : rg__c_binary(t, RG_COP_MUL, rg__c_cast(t, rg__c_int(t, times), as), value);
        } else if (!in_pairs(n, k, here))
            return false;
    }
    return true;
}

static int64_t number(const struct rg_cnode *e, bool *is)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    *is = e->kind == RG_C_INT;
    return e->ivalue;
}

/* Which loop of the two strides, where each begins, and by how much the other steps. */
static bool read_nest(struct nest *n)
{
    struct rg_ctree *t = n->t;
    struct rg__counting outer;
    if (!rg__counting_read(t, n->node, &outer) || !outer.alone) return false;
    n->at = -1;
    for (int i = 0; i < outer.body->n; i++) {
        const struct rg_cnode *s = outer.body->kid[i];
        if (s->kind == RG_C_FOR && n->at >= 0) return false;
        if (s->kind == RG_C_FOR) n->at = i;
        if (s->kind != RG_C_FOR && s->kind != RG_C_DECL && s->kind != RG_C_STMT) return false;
    }
    n->inner = n->at >= 0 ? outer.body->kid[n->at] : NULL;
    n->strides_outside = !rg__counting_step(&outer);
    struct rg__counting *one = n->strides_outside ? &n->strides : &n->counts,
                        *other = n->strides_outside ? &n->counts : &n->strides;
    *one = outer;
    if (!n->inner || !rg__counting_read(t, n->inner, other) || !other->alone) return false;
    n->unit = rg__counting_step(&n->counts);
    bool is;
    n->counts_from = number(n->counts.first, &is);
    return n->unit && is && n->counts_from >= 0 && !rg__counting_step(&n->strides);
}

struct rg_cnode *rg__recounted_nest(struct rounds *r, int *here)
{
    struct rg_ctree *t = r->t;
    struct nest n = {.r = r, .t = t, .node = r->body->kid[*here]};
    struct rg_cnode *was = n.node, *result = NULL, *declared = NULL;
    if (!read_nest(&n)) return NULL;
    const int cv = n.counts.var, sv = n.strides.var;
    bool is, plain = n.unit == 1 && !n.counts_from && !n.counts.upto && !n.strides.upto;
    if (n.strides_outside) {
        n.strides_from = number(n.strides.first, &is);
        if (!is || (plain && !n.strides_from)) return NULL;
    } else if (plain && rg__doubling_var(n.strides.first, cv))
        return NULL;
    if (cv == sv || (!rg__c_declares(was, cv) && rg__doubling_live(t, cv, was)) ||
        (!rg__c_declares(was, sv) && rg__doubling_live(t, sv, was)))
        return NULL;
    n.node = rg__c_copy(t, was);
    if (!read_nest(&n)) return NULL;
    if (n.unit > 1) { /* the rounds' variable is a multiple of the unit from its first value on */
        const struct rg_cnode *first = rg__c_uncast(r->first, RG__C_INT_CASTS);
        if (!r->up || !r->power || first->kind != RG_C_INT || first->ivalue % n.unit) return NULL;
        n.pairs = rg__c_add_var(t, "pairs", RG_CVAR_LOCAL, t->vars[r->var].type);
        declared = rg__doubling_declaration(
            t, n.pairs, rg__c_binary(t, RG_COP_DIV, rg__c_var(t, r->var), rg__c_int(t, n.unit)), was);
        if (!in_pairs(&n, n.node, *here) || !read_nest(&n)) return NULL;
    }
    n.range = rg_xmalloc(sizeof *n.range);
    rg__range_init(n.range, t, NULL);
    struct rg__poly first = rg__counting_value(n.range, by_front(&n, n.strides.first)), lone = rg__poly_var(cv),
                    step = rg__counting_value(n.range, n.strides.step);
    if (!n.strides_outside) first = rg__poly_add(&first, &lone, -1); /* behind the other's */
    bool ok = !first.bad && rg__poly_is_int(&first, &n.strides_from) && n.strides_from >= -16;
    if (!n.strides_outside) n.strides_from += n.counts_from;
    step = ok && !step.bad ? part(&step, n.unit) : bad();
    struct rg__poly counts_end = rg__counting_end(n.range, &n.counts, n.counts_from, n.unit),
                    strides_end = ok ? rg__counting_end(n.range, &n.strides, n.strides_from, n.unit) : bad();
    if (ok && !step.bad && !counts_end.bad && !strides_end.bad) {
        const enum rg_scalar ct = t->vars[cv].type, st = t->vars[sv].type;
        int c = rg__c_add_var(t, t->vars[cv].name, RG_CVAR_LOCAL, ct),
            s = rg__c_add_var(t, t->vars[sv].name, RG_CVAR_LOCAL, st);
        struct rg_cnode *by_c = rg__counting_place(t, n.counts_from, n.unit, rg__c_var(t, c), ct),
                        *by_s = rg__counting_place(t, n.strides_from, n.unit, rg__c_var(t, s), st);
        struct rg_cnode *inner_body = rg__c_replace_var(t, n.inner->kid[3], sv, by_s), *body, *loop;
        inner_body = rg__c_replace_var(t, inner_body, cv, by_c);
        struct rg_cnode *c_end = rg__poly_node(n.range, &counts_end), *s_end = rg__poly_node(n.range, &strides_end),
                        *s_step = rg__poly_node(n.range, &step);
        struct rg_cnode *s_first = n.strides_outside ? rg__c_int(t, 0) : rg__c_cast(t, rg__c_var(t, c), st);
        loop = n.strides_outside ? rg__counting_loop(t, c, rg__c_int(t, 0), c_end, inner_body, n.inner)
                                 : rg__counting_loop(t, s, s_first, s_end, inner_body, n.inner);
        struct rg__kids all = {0};
        for (int i = 0; i < n.node->kid[3]->n; i++) {
            struct rg_cnode *k = n.node->kid[3]->kid[i];
            if (i != n.at) k = rg__c_replace_var(t, rg__c_replace_var(t, k, sv, by_s), cv, by_c);
            rg__kids_add(&all, i == n.at ? loop : k);
        }
        body = rg__kids_node(t, RG_C_BLOCK, &all);
        body->line = was->line;
        result = n.strides_outside ? rg__counting_loop(t, s, s_first, s_end, body, was)
                                   : rg__counting_loop(t, c, rg__c_int(t, 0), c_end, body, was);
        struct rg_cnode *strides = n.strides_outside ? result : loop;
        strides->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, s), rg__c_cast(t, s_step, st));
    }
    free(n.range);
    if (result && declared) {
        struct rg__kids front = {0};
        rg__kids_add(&front, declared);
        if (r->step_at >= *here) r->step_at++;
        rg__block_splice(t, r->body, *here, 0, &front);
        ++*here;
    }
    return result;
}
