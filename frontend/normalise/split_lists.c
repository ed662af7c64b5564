/* Loop distribution of loops that divide elements among two parts of one array, each with a counter of its own:
 *     for (i..) if (c(i)) { out[lo] = x[i];  lo += 1; } else { out[hi] = x[i];  hi += 1; }
 * are two lists, one behind the other, where the first ends before the second begins. That is asked in front,
 *     for (i..) if (c(i)) lo_end += 1; else hi_end += 1;
 *     apart = lo_end <= hi || hi_end <= lo;
 *     if (!apart) as it was;    if (apart) for (i..) if (c(i)) { .. }    if (apart) for (i..) if (!c(i)) { .. } */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/pointer_rotation.h"

struct split {
    struct rg_ctree *t;
    struct rg_cnode *loop, *either; /* the condition, the last statement of the loop's body */
    int counter[2];                 /* by arm */
    int array;                      /* that both arms store to */
};

static bool is_scalar(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* `v += 1`: v; -1. */
static int steps(const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int64_t by;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_ADD_SET || e->kid[0]->kind != RG_C_VAR ||
        e->kid[0]->array >= 0 || e->kid[0]->pointer || !rg__c_number(e->kid[1], &by) || by != 1)
        return -1;
    return e->kid[0]->var;
}

/* `x[..] = e` of pure values: the element; NULL. */
static const struct rg_cnode *stored(const struct rg_ctree *t, const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !rg__c_pure(t, e->kid[1])) return NULL;
    const struct rg_cnode *to = e->kid[0];
    while (to->kind == RG_C_MEMBER && to->n == 1) to = to->kid[0];
    return to->kind == RG_C_INDEX && !to->pointer && to->n == 1 && rg__c_pure(t, to->kid[0]) ? to : NULL;
}

/* An arm of stores and the one step behind them; its counter is an integer from outside. */
static bool arm(struct split *x, int which)
{
    const struct rg_cnode *b = x->either->kid[1 + which];
    if (!b || b->kind != RG_C_BLOCK || b->n < 2) return false;
    const int v = x->counter[which] = steps(b->kid[b->n - 1]);
    if (v < 0 || x->t->vars[v].kind != RG_CVAR_LOCAL || rg_scalar_bytes(x->t->vars[v].type) < 4 ||
        rg__c_declares(x->loop, v))
        return false;
    for (int i = 0; i + 1 < b->n; i++)
        if (!stored(x->t, b->kid[i])) return false;
    return true;
}

/* The array of which each arm stores to the element at its own counter. */
static int shared(const struct split *x)
{
    int found = -1;
    for (int i = 0; i + 1 < x->either->kid[1]->n; i++) {
        const struct rg_cnode *a = stored(x->t, x->either->kid[1]->kid[i]);
        if (rg__writes_array(x->either->kid[2], a->array)) {
            if (found >= 0) return -1;
            found = a->array;
        }
    }
    return found;
}

static int mentions(const struct rg_cnode *n, int array)
{
    int found = (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == array;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) found += mentions(n->kid[i], array);
    return found;
}

static bool same_memory(const struct rg_ctree *t, int a, int b)
{
    return a == b || t->arrays[a].view || t->arrays[b].view ||
           (t->arrays[a].param >= 0 && t->arrays[a].param == t->arrays[b].param);
}

/* What one arm writes, nothing but its own stores names; the array of both, each arm once, by its counter. */
static bool apart(const struct split *x)
{
    const struct rg_ctree *t = x->t;
    const struct rg_cnode *body = x->loop->kid[2];
    for (int which = 0; which < 2; which++) {
        const struct rg_cnode *b = x->either->kid[1 + which];
        const int v = x->counter[which];
        if (rg__c_count_var(x->loop, v) != rg__c_count_var(b, v)) return false;
        for (int i = 0; i + 1 < b->n; i++) {
            const struct rg_cnode *to = stored(t, b->kid[i]);
            const bool both = to->array == x->array;
            const struct rg_cnode *sub = rg__c_uncast(to->kid[0], RG__C_WIDE_CASTS);
            if (both && !is_scalar(sub, v)) return false;
            if (mentions(body, to->array) != (both ? 2 : 1)) return false;
            for (int a = 0; a < t->n_arrays; a++)
                if (a != to->array && same_memory(t, a, to->array) && mentions(body, a)) return false;
        }
    }
    return true;
}

static bool fits(struct split *x)
{
    const struct rg_cnode *l = x->loop;
    if (l->kind != RG_C_LOOP || l->n != 3) return false;
    const struct rg_cnode *body = l->kid[2];
    if (body->kind != RG_C_BLOCK || !body->n || rg__leaves_early(body)) return false;
    x->either = body->kid[body->n - 1];
    if (x->either->kind != RG_C_IF || x->either->n != 3 || !rg__c_pure(x->t, x->either->kid[0])) return false;
    for (int i = 0; i + 1 < body->n; i++) {
        const struct rg_cnode *s = body->kid[i];
        if (s->kind != RG_C_DECL || s->array >= 0 || s->pointer || !s->n || !rg__c_pure(x->t, s->kid[0])) return false;
    }
    if (!arm(x, 0) || !arm(x, 1) || x->counter[0] == x->counter[1]) return false;
    x->array = shared(x);
    return x->array >= 0 && apart(x);
}

/* The loop once more, with one arm. */
static struct rg_cnode *one(struct split *x, int which)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *l = rg__c_copy(t, x->loop), *body = l->kid[2], *was = body->kid[body->n - 1];
    struct rg_cnode *only = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), was);
    only->kid[0] = which ? rg__negated(t, was->kid[0]) : was->kid[0];
    only->kid[1] = was->kid[1 + which];
    body->kid[body->n - 1] = only;
    rg__moves_fresh(t, l, l);
    return l;
}

/* And with nothing but the steps, of counters of its own. */
static struct rg_cnode *counting(struct split *x, const int *end)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *l = rg__c_copy(t, x->loop), *body = l->kid[2], *either = body->kid[body->n - 1];
    for (int which = 0; which < 2; which++) {
        struct rg_cnode *b = either->kid[1 + which];
        struct rg__kids none = {0};
        rg__block_splice(t, b, 0, b->n - 1, &none);
        b->kid[0]->kid[0]->kid[0] = rg__c_var(t, end[which]);
    }
    rg__moves_fresh(t, l, l);
    return l;
}

static struct rg_cnode *reaches(struct rg_ctree *t, int end, int begin)
{
    return rg__c_binary(t, RG_COP_LE, rg__c_cast(t, rg__c_var(t, end), RG_LLONG),
                        rg__c_cast(t, rg__c_var(t, begin), RG_LLONG));
}

static struct rg_cnode *under(struct rg_ctree *t, struct rg_cnode *condition, struct rg_cnode *loop)
{
    struct rg_cnode *c = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), loop), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    c->kid[0] = condition;
    c->kid[1] = rg__c_stands(b, loop);
    b->kid[0] = loop;
    return c;
}

static int take(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct split x = {.t = t, .loop = block->kid[at]};
    struct rg__kids with = {0};
    int end[2];
    if (!fits(&x)) return 0;
    for (int which = 0; which < 2; which++) {
        const int v = x.counter[which];
        end[which] =
            rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_end", t->vars[v].name), RG_CVAR_LOCAL, t->vars[v].type);
        rg__kids_add(&with, rg__doubling_declaration(t, end[which], rg__c_var(t, v), x.loop));
    }
    rg__kids_add(&with, counting(&x, end));
    int flag; /* of its own: the lists move what it is asked of */
    rg__kids_add(&with, rg__asked_flag(t, "apart", x.loop, &flag));
    struct rg_cnode *apart =
        rg__c_binary(t, RG_COP_OR, reaches(t, end[0], x.counter[1]), reaches(t, end[1], x.counter[0]));
    apart = rg__c_choice(t, apart, rg__c_var(t, flag), rg__c_int(t, 0));
    rg__kids_add(&with, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, flag), apart)), x.loop));
    struct rg_cnode *parts[2];
    for (int which = 0; which < 2; which++) parts[which] = under(t, rg__c_var(t, flag), one(&x, which));
    rg__kids_add(&with, under(t, rg__negated(t, rg__c_var(t, flag)), x.loop));
    for (int which = 0; which < 2; which++) rg__kids_add(&with, parts[which]);
    const int n = with.n;
    rg__block_splice(t, block, at, 1, &with);
    return n;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++) {
        if (!n->kid[i]) continue;
        const int made = n->kind == RG_C_BLOCK ? take(t, n, i) : 0;
        if (made)
            i += made - 1;
        else
            walk(t, n->kid[i]);
    }
}

void rg__canon_split_lists(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!p->may_alias && !rg__mentions_kind(t->root, RG_C_VERBATIM)) walk(t, t->root);
}
