/* `while (*s) ... s++`, `for (i = 0; s[i] != 0; i++)`: a string that a loop goes along to its zero has a size of its
 * own, `s.len`, as one whose strlen is taken, and the loop goes on while the place is less than that.
 *
 * So it is where each test asks for the next place, the first for place 0, and what is stored in the string is stored
 * at the place just tested: what is still to be tested is as the caller gave it. Other strings are left as they are. */
#include "frontend/normalise/zero_ended.h"
#include <stdlib.h>
#include <string.h>

struct walked {
    struct rg__load *l;
    struct rg_ctree *t;
    int array;
    struct rg_cnode *loop; /* the loop that is looked at */
    int var;
    int stores, stores_here; /* in the string, and of them at the place */
    bool whole;              /* it is given away */
    int sets, starts, steps; /* of the place: all that changes it; those to 0; those by 1 */
    bool nested;             /* a loop is around it */
};

static bool is_place(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && e->var == var;
}

/* `s[i]` or `s[i] != 0`, alone or in front of what else is asked of the string: where it stands, the variable of its
 * subscript. Behind a bound (`i < n && s[i]`) there need be no zero. */
static struct rg_cnode **test_of(struct rg_cnode **at, int *array, int *var)
{
    struct rg_cnode *c = *at;
    int64_t zero;
    if (c->kind == RG_C_BINARY && c->op == RG_COP_AND) {
        struct rg_cnode **first = test_of(&c->kid[0], array, var);
        return first && rg__c_mentions_array(c->kid[1], *array) ? first : NULL;
    }
    const struct rg_cnode *e = c;
    if (e->kind == RG_C_BINARY && e->op == RG_COP_NE && rg__c_number(e->kid[1], &zero) && !zero) e = e->kid[0];
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_INDEX || e->pointer || e->n != 1) return NULL;
    const struct rg_cnode *i = rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS);
    if (i->kind != RG_C_VAR || i->array >= 0 || i->pointer) return NULL;
    *array = e->array;
    *var = i->var;
    return at;
}

static bool to_zero(const struct rg_cnode *n)
{
    int64_t k;
    if (n->kind == RG_C_DECL) return n->n && rg__c_number(n->kid[0], &k) && !k;
    return n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && rg__c_number(n->kid[1], &k) && !k;
}

static bool by_one(const struct rg_cnode *n)
{
    int64_t k;
    if (n->kind == RG_C_STMT && n->n) n = n->kid[0];
    if (n->kind == RG_C_INCDEC) return rg_c_increments(n->op);
    return n->kind == RG_C_ASSIGN && n->op == RG_COP_ADD_SET && rg__c_number(n->kid[1], &k) && k == 1;
}

static bool note_place(void *arg, struct rg_cnode *n)
{
    struct walked *w = arg;
    const bool declared = n->kind == RG_C_DECL && n->array < 0 && n->var == w->var;
    const bool changes = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && n->n &&
                         is_place(n->kid[0], w->var);
    if (!declared && !changes) return true;
    if (declared && !n->n) return true;
    w->sets++;
    w->starts += to_zero(n);
    w->steps += by_one(n);
    return true;
}

static void note_string(void *arg, const struct rg_caccess *a)
{
    struct walked *w = arg;
    if (a->array != w->array) return;
    w->whole |= a->whole || a->node->kind != RG_C_INDEX;
    if (!a->write) return;
    w->stores++;
    w->stores_here += a->node->kind == RG_C_INDEX && a->node->n == 1 && is_place(a->node->kid[0], w->var);
}

static bool note_pointers(void *arg, struct rg_cnode *n)
{
    struct walked *w = arg;
    if (n->array == w->array && ((n->kind == RG_C_INDEX && n->pointer) || n->kind == RG_C_VAR)) w->whole = true;
    return true;
}

static bool is_loop(const struct rg_cnode *n)
{
    return n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_LOOP;
}

static bool around(const struct rg_cnode *n, const struct rg_cnode *loop)
{
    if (!n || n == loop) return false;
    if (is_loop(n) && rg__c_contains(n, loop)) return true;
    for (int i = 0; i < n->n; i++)
        if (around(n->kid[i], loop)) return true;
    return false;
}

static bool leaves_out(const struct rg_cnode *n)
{
    if (!n) return false;
    bool is = n->kind == RG_C_CONTINUE;
    for (int i = 0; i < n->n && !is; i++) is = leaves_out(n->kid[i]);
    return is;
}

/* Does each iteration end by a step of the place, all else that the body does being in front of it? */
static bool steps_once(const struct walked *w)
{
    const struct rg_cnode *l = w->loop, *body = l->kid[l->kind == RG_C_FOR ? 3 : 1];
    struct walked inside = *w;
    inside.sets = inside.starts = inside.steps = 0;
    if (l->kind == RG_C_FOR) {
        inside.sets = inside.steps = 0;
        rg__c_walk((struct rg_cnode *)body, note_place, &inside);
        if (inside.sets) return false;
        return l->kid[2] &&
               is_place(l->kid[2]->kind == RG_C_STMT ? l->kid[2]->kid[0]->kid[0] : l->kid[2]->kid[0], w->var) &&
               by_one(l->kid[2]);
    }
    const struct rg_cnode *last = body->kind == RG_C_BLOCK && body->n ? body->kid[body->n - 1] : NULL;
    if (!last || last->kind != RG_C_STMT || !by_one(last) || !is_place(last->kid[0]->kid[0], w->var)) return false;
    rg__c_walk((struct rg_cnode *)body, note_place, &inside);
    return inside.sets == 1 && !leaves_out(body);
}

/* Is the place 0 wherever the loop is come to, or where the string was left before? */
static bool starts_at_zero(const struct walked *w)
{
    const struct rg_cnode *init = w->loop->kind == RG_C_FOR ? w->loop->kid[0] : NULL;
    if (init && init->kind == RG_C_STMT && init->n) init = init->kid[0];
    if (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
    const bool here =
        init && to_zero(init) && (init->kind == RG_C_DECL ? init->var == w->var : is_place(init->kid[0], w->var));
    return here || (w->starts >= 1 && w->starts + w->steps == w->sets && w->steps == 1);
}

/* Is it the caller's, of bytes, and has nobody said how long it is or what it holds? */
static bool is_string(const struct walked *w)
{
    const struct rg_carray *x = &w->t->arrays[w->array];
    const struct rg_param *q = x->param >= 0 && !x->constant_table ? &w->l->p->params[x->param] : NULL;
    return q && q->kind == RG_PARAM_ARRAY && q->n_dims == 1 && !q->dims[0] && x->n_dims == 1 &&
           (q->elem == RG_CHAR || q->elem == RG_I8 || q->elem == RG_U8) && q->input.kind == RG_INPUT_DEFAULT &&
           q->origin == RG_ORIGIN_ARG && !rg__is_directed(&w->l->b, q->name);
}

static void go_along(struct rg__load *l, struct rg_cnode *loop)
{
    struct walked w = {.l = l, .t = l->t, .loop = loop, .array = -1};
    struct rg_cnode **condition = &loop->kid[loop->kind == RG_C_FOR ? 1 : 0];
    struct rg_cnode **test = *condition ? test_of(condition, &w.array, &w.var) : NULL;
    if (!test || !is_string(&w)) return;
    const struct rg_cvar *v = &l->t->vars[w.var];
    if (v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4) return;
    rg__c_walk(l->t->root, note_place, &w);
    rg__c_walk(l->t->root, note_pointers, &w);
    rg_c_accesses(l->t, l->t->root, note_string, &w);
    if (w.whole || !steps_once(&w) || !starts_at_zero(&w)) return;
    if (w.stores) { /* only where it was just tested, once */
        struct walked inside = {.t = l->t, .array = w.array, .var = w.var};
        rg_c_accesses(l->t, loop, note_string, &inside);
        if (around(l->t->root, loop) || inside.stores != w.stores || inside.stores_here != w.stores) return;
    }
    struct rg_cnode *length = rg__build_length_param(&l->b, rg__c_array_name(l->t, w.array), true);
    if (!length) return;
    struct rg_cnode *place = rg__c_var(l->t, w.var);
    if (rg_scalar_is_signed(v->type)) length = rg__c_cast(l->t, length, v->type);
    *test = rg__c_stands(rg__c_binary(l->t, RG_COP_LT, place, length), *test);
}

static bool each_loop(void *arg, struct rg_cnode *n)
{
    if (n->kind == RG_C_FOR || n->kind == RG_C_WHILE) go_along(arg, n);
    return true;
}

void rg__zero_ended(struct rg__load *l)
{
    if (!l->p->may_alias && !rg__mentions_kind(l->t->root, RG_C_VERBATIM)) rg__c_walk(l->t->root, each_loop, l);
}
