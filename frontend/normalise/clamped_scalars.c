/* Clamped scalars: integers that a condition on other scalars sets anew, outside of loops: `if (n > most) n = most;`.
 *
 *     if (c) v = a; else v = b;      v = c ? a : b;
 *     if (c) { v = a; w = b; }       v = c ? a : v; w = c ? b : w;       where neither c nor b reads v
 *
 *     int v = e; ... v = c(v) ? a : v;      int v = c(e) ? a : e;
 *     int v = e; ... v += v % 2;            int v = e + e % 2;
 *
 * What follows is then the value that later passes put where v is read (a loop's bound). In loops branches stay, as
 * they do where an array is read: what elements decide is no size. */
#include "frontend/normalise/canon.h"

enum { MAX_SET = 6, MAX_VALUE = 12 };

/* Of scalars alone, without a trace. */
static bool of_scalars(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->array >= 0 || e->pointer || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || !rg__c_pure(t, e))
        return false;
    for (int i = 0; i < e->n; i++)
        if (!of_scalars(t, e->kid[i])) return false;
    return true;
}

struct setting {
    int var;
    struct rg_cnode *value[2]; /* where the condition holds, and where not; NULL: as it was */
};

struct clamp {
    struct rg_ctree *t;
    struct setting set[MAX_SET];
    int n;
};

/* v = e, v += e: the new value; NULL: something else. */
static struct rg_cnode *new_value(struct rg_ctree *t, const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0) return NULL;
    const struct rg_cvar *v = &t->vars[a->kid[0]->var];
    bool whole = v->kind == RG_CVAR_LOCAL && rg__scalar_is_int(v->type) && v->struct_index < 0 && !a->kid[0]->pointer;
    enum rg_c_op op = rg_c_applied(a->op);
    if (!whole || !of_scalars(t, a->kid[1])) return NULL;
    if (a->op == RG_COP_SET) return rg__c_cast(t, a->kid[1], v->type);
    /* as C computes it, where the operands are integers */
    if (op == RG_COP_NONE || !rg__scalar_is_int(a->kid[1]->type)) return NULL;
    return rg__c_cast(t, rg__c_binary(t, op, rg__c_var(t, a->kid[0]->var), a->kid[1]), v->type);
}

static struct rg_cnode *choice(struct rg_ctree *t, const struct rg_cnode *c, int var, struct rg_cnode *yes,
                               struct rg_cnode *no)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_COND, 3);
    x->kid[0] = rg__c_copy(t, c);
    x->kid[1] = yes ? yes : rg__c_var(t, var);
    x->kid[2] = no ? no : rg__c_var(t, var);
    x->type = t->vars[var].type;
    x->line = c->line;
    x->column = c->column;
    return x;
}

/* Of numbers and the variable alone. */
static bool of_itself(const struct rg_cnode *e, int var)
{
    if (e->kind == RG_C_VAR && e->var != var) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_itself(e->kid[i], var)) return false;
    return true;
}

/* What an arm sets, as values over what held before it. An `if` in it is one more choice. */
static bool arm(struct clamp *x, const struct rg_cnode *block, int side)
{
    for (int i = 0; block && i < block->n; i++) {
        struct rg_cnode *s = block->kid[i], *value = NULL;
        int var = -1;
        if (s->kind == RG_C_IF) {
            struct clamp inner = {.t = x->t};
            if (!of_scalars(x->t, s->kid[0]) || !arm(&inner, s->kid[1], 0) ||
                (s->n > 2 && s->kid[2] && !arm(&inner, s->kid[2], 1)) || inner.n != 1)
                return false;
            var = inner.set[0].var;
            value = choice(x->t, s->kid[0], var, inner.set[0].value[0], inner.set[0].value[1]);
        } else {
            value = new_value(x->t, s);
            if (value) var = s->kid[0]->kid[0]->var;
            /* a step by another scalar says little of the size: the branch stays */
            if (value && s->kid[0]->op != RG_COP_SET && !of_itself(s->kid[0]->kid[1], var)) return false;
        }
        if (!value) return false;
        for (int k = 0; k < x->n; k++) /* it would have to see what this arm has set already */
            if (x->set[k].value[side] && rg__c_mentions_var(value, x->set[k].var)) return false;
        int k = 0;
        while (k < x->n && x->set[k].var != var) k++;
        if (k == MAX_SET || (k < x->n && x->set[k].value[side])) return false;
        if (k == x->n) x->set[x->n++] = (struct setting){.var = var};
        x->set[k].value[side] = value;
    }
    return true;
}

static bool declared_with_value(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->var == var) return n->n && n->kid[0];
    for (int i = 0; i < n->n; i++)
        if (declared_with_value(n->kid[i], var)) return true;
    return false;
}

/* Does what stays as it was hold a value? */
static bool held(const struct clamp *x)
{
    for (int k = 0; k < x->n; k++)
        if ((!x->set[k].value[0] || !x->set[k].value[1]) && !declared_with_value(x->t->root, x->set[k].var))
            return false;
    return true;
}

/* Set one after the other, none may change what the next one reads: what the condition reads is set last. */
static bool independent(struct clamp *x, const struct rg_cnode *c)
{
    for (int i = 0; i + 1 < x->n; i++)
        if (rg__c_mentions_var(c, x->set[i].var)) {
            struct setting last = x->set[x->n - 1];
            x->set[x->n - 1] = x->set[i];
            x->set[i] = last;
            break;
        }
    for (int i = 0; i < x->n; i++)
        for (int k = i + 1; k < x->n; k++)
            for (int side = 0; side < 2; side++)
                if (x->set[k].value[side] && rg__c_mentions_var(x->set[k].value[side], x->set[i].var)) return false;
    for (int i = 0; i + 1 < x->n; i++)
        if (rg__c_mentions_var(c, x->set[i].var)) return false;
    return true;
}

/* Does anything in n write a variable that e reads? */
static bool writes_of(const struct rg_cnode *n, const struct rg_cnode *e)
{
    if (!e) return false;
    if (e->kind == RG_C_VAR && e->array < 0 && rg__c_writes_var(n, e->var)) return true;
    for (int i = 0; i < e->n; i++)
        if (writes_of(n, e->kid[i])) return true;
    return false;
}

/* The declaration in front of b's item `at`, which sets its variable anew, takes that one's place, and the one value
 * there is: nothing between the two reads it. */
static bool declared_later(struct rg_ctree *t, struct rg_cnode *b, int at)
{
    const struct rg_cnode *set = b->kid[at]->kid[0];
    const int var = set->kid[0]->var;
    struct rg_cnode *d = NULL;
    int from = at;
    while (!d && --from >= 0) {
        struct rg_cnode *s = b->kid[from];
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == var)
            d = s;
        else if (rg__c_mentions_var(s, var))
            return false;
    }
    if (!d || !d->n || !of_scalars(t, d->kid[0]) || rg__c_size(d->kid[0]) > MAX_VALUE) return false;
    for (int i = from + 1; i < at; i++)
        if (writes_of(b->kid[i], d->kid[0])) return false;
    d->kid[0] = rg__c_replace_var(t, set->kid[1], var, rg__c_cast(t, d->kid[0], t->vars[var].type));
    for (int i = from; i + 1 < at; i++) b->kid[i] = b->kid[i + 1];
    b->kid[at - 1] = d;
    b->n--;
    for (int i = at; i < b->n; i++) b->kid[i] = b->kid[i + 1];
    return true;
}

/* `n += n % 2;` without a condition: the value that the declaration gives. */
static bool stepped(struct rg_ctree *t, struct rg_cnode *b, int at)
{
    struct rg_cnode *s = b->kid[at], *value = new_value(t, s);
    const int var = value ? s->kid[0]->kid[0]->var : -1;
    if (!value || !rg__c_mentions_var(value, var)) return false;
    struct rg_cnode *set = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
    b->kid[at] = set;
    if (declared_later(t, b, at)) return true;
    b->kid[at] = s;
    return false;
}

static void straight(struct rg_ctree *t, struct rg_cnode *b)
{
    for (int i = 0; i < b->n; i++) {
        struct rg_cnode *s = b->kid[i];
        if (s->kind == RG_C_BLOCK) straight(t, s);
        if (s->kind == RG_C_STMT && stepped(t, b, i)) i--;
        if (s->kind != RG_C_IF) continue;
        struct clamp x = {.t = t};
        bool clamps = of_scalars(t, s->kid[0]) && arm(&x, s->kid[1], 0) &&
                      (s->n < 3 || !s->kid[2] || arm(&x, s->kid[2], 1)) && x.n > 0 && independent(&x, s->kid[0]) &&
                      held(&x);
        if (!clamps) {
            for (int k = 1; k < s->n; k++)
                if (s->kid[k] && s->kid[k]->kind == RG_C_BLOCK) straight(t, s->kid[k]);
            continue;
        }
        struct rg__kids set = {0};
        for (int k = 0; k < x.n; k++) {
            struct rg_cnode *value = choice(t, s->kid[0], x.set[k].var, x.set[k].value[0], x.set[k].value[1]);
            struct rg_cnode *a = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, x.set[k].var), value));
            a->line = s->line;
            a->column = s->column;
            rg__kids_add(&set, a);
        }
        rg__block_splice(t, b, i, 1, &set);
        const int end = i + x.n;
        int gone = 0;
        for (int k = i; k < end; k++) gone += declared_later(t, b, k - gone);
        i = end - 1 - gone;
    }
}

void rg__canon_clamps(struct rg_ctree *t)
{
    straight(t, t->root);
}
