/* Jump threading over result codes: `if (setup(n) != 0) return;` behind a body that sets the code to a constant on
 * every way. What follows the test goes where the code is known, so that no condition on it is left; where all ways but
 * one are errors nothing is written twice. */
#include "frontend/normalise/canon.h"
#include <string.h>

enum { MAX_LEAVES = 12 };

struct leaf {
    struct rg_cnode *block; /* its last statement sets the code */
    int64_t value;
};

struct leaves {
    int var, n;
    bool failed;
    struct leaf items[MAX_LEAVES];
};

/* v = constant; or its declaration. */
static bool sets(const struct rg_cnode *s, int var, int64_t *value)
{
    const struct rg_cnode *v = NULL;
    if (s->kind == RG_C_DECL && s->array < 0 && s->var == var && s->n) v = s->kid[0];
    if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && s->kid[0]->kid[0]->kind == RG_C_VAR &&
        s->kid[0]->kid[0]->array < 0 && s->kid[0]->kid[0]->var == var)
        v = s->kid[0]->kid[1];
    return v && rg__c_number(v, value);
}

/* Every way through the statements ends with the code set to a constant. */
static void collect(struct leaves *l, struct rg_cnode *block, int end)
{
    int64_t value;
    for (int i = end - 1; i >= 0 && !l->failed; i--) {
        struct rg_cnode *s = block->kid[i];
        if (s->kind == RG_C_RETURN || s->kind == RG_C_BREAK || s->kind == RG_C_CONTINUE) break; /* nothing follows it */
        if (!rg__c_writes_var(s, l->var) && !(s->kind == RG_C_DECL && s->array < 0 && s->var == l->var)) continue;
        if (sets(s, l->var, &value) && l->n < MAX_LEAVES) {
            l->items[l->n++] = (struct leaf){block, value};
            return;
        }
        if (s->kind == RG_C_BLOCK && i == end - 1) {
            collect(l, s, s->n);
            return;
        }
        if (s->kind != RG_C_IF || s->n < 3 || i != end - 1) break;
        for (int k = 1; k < 3; k++) collect(l, s->kid[k], s->kid[k]->n);
        return;
    }
    l->failed = true;
}

/* Has e the value of what stands in its conversions? Neither is the value cut, nor read as unsigned. */
static const struct rg_cnode *as_it_is(const struct rg_cnode *e)
{
    const struct rg_cnode *v = rg__c_uncast(e, RG__C_INT_CASTS);
    return e == v || (rg_scalar_bytes(e->type) >= rg_scalar_bytes(v->type) && rg_scalar_is_signed(e->type)) ? v : e;
}

/* A test of an integer local against a constant. */
static bool test_of(const struct rg_ctree *t, const struct rg_cnode *c, int *var, enum rg_c_op *op, int64_t *with)
{
    bool not = false;
    for (c = as_it_is(c); c->op == RG_COP_NOT; c = as_it_is(c->kid[0])) not = !not ;
    const struct rg_cnode *v = c;
    *op = RG_COP_NE;
    *with = 0;
    if (c->kind == RG_C_BINARY && rg_c_relation(c->op)) {
        *op = c->op;
        v = as_it_is(c->kid[0]);
        if (!rg_scalar_is_signed(c->kid[1]->type) || !rg__c_number(c->kid[1], with)) return false;
    }
    if (not ) *op = rg_c_opposite(*op);
    *var = v->var;
    return v->kind == RG_C_VAR && v->array < 0 && t->vars[v->var].kind == RG_CVAR_LOCAL &&
           rg_scalar_is_signed(t->vars[v->var].type);
}

static bool holds(enum rg_c_op op, int64_t a, int64_t b)
{
    return op == RG_COP_EQ   ? a == b
           : op == RG_COP_NE ? a != b
           : op == RG_COP_LT ? a < b
           : op == RG_COP_LE ? a <= b
           : op == RG_COP_GT ? a > b
                             : a >= b;
}

static void append(struct rg_ctree *t, struct rg_cnode *block, const struct rg_cnode *arm)
{
    struct rg__kids k = {0};
    if (arm) rg__kids_add(&k, (struct rg_cnode *)arm);
    rg__block_splice(t, block, block->n, 0, &k);
}

/* The IF at block->kid[at]; true: it is gone. */
static bool thread(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *x = block->kid[at], *arm[2] = {x->n > 2 ? x->kid[2] : NULL, x->kid[1]};
    struct leaves l = {0};
    enum rg_c_op op;
    int64_t with;
    if (!test_of(t, x->kid[0], &l.var, &op, &with)) return false;
    collect(&l, block, at);
    if (l.failed || !l.n) return false;
    int uses[2] = {0, 0};
    for (int i = 0; i < l.n; i++) uses[holds(op, l.items[i].value, with)]++;
    for (int k = 0; k < 2; k++) /* what would stand there several times is short, and declares nothing */
        if (uses[k] > 1 && arm[k] &&
            (rg__c_size(arm[k]) > 40 || rg__mentions_kind(arm[k], RG_C_DECL) || rg__mentions_kind(arm[k], RG_C_FOR) ||
             rg__mentions_kind(arm[k], RG_C_WHILE)))
            return false;
    struct rg__kids none = {0};
    rg__block_splice(t, block, at, 1, &none);
    int placed[2] = {0, 0};
    for (int i = 0; i < l.n; i++) {
        int k = holds(op, l.items[i].value, with);
        if (!arm[k]) continue;
        const struct rg_cnode *body = placed[k]++ ? rg__c_copy(t, arm[k]) : arm[k];
        if (l.items[i].block == block) { /* decided on the spot */
            struct rg__kids here = {0};
            rg__kids_add(&here, (struct rg_cnode *)body);
            rg__block_splice(t, block, at, 0, &here);
        } else {
            append(t, l.items[i].block, body);
        }
    }
    return true;
}

static int times_set(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    bool here = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) &&
                n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var;
    here |= n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n;
    int all = here;
    for (int i = 0; i < n->n; i++) all += times_set(n->kid[i], var);
    return all;
}

/* int rc = value_of_the_call;  the code under another name. */
static bool renamed(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    const struct rg_cnode *s = block->kid[at], *v = NULL;
    int var = -1;
    if (s->kind == RG_C_DECL && s->array < 0 && s->n) v = s->kid[0], var = s->var;
    if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && s->kid[0]->kid[0]->kind == RG_C_VAR &&
        s->kid[0]->kid[0]->array < 0)
        v = s->kid[0]->kid[1], var = s->kid[0]->kid[0]->var;
    if (!v || v->kind != RG_C_VAR || v->array >= 0 || t->vars[var].kind != RG_CVAR_LOCAL ||
        t->vars[v->var].kind != RG_CVAR_LOCAL || t->vars[var].type != t->vars[v->var].type ||
        !rg__scalar_is_int(t->vars[var].type) || times_set(t->root, var) != 1)
        return false;
    int code = v->var;
    for (int i = at + 1; i < block->n; i++)
        if (times_set(block->kid[i], code)) return false;
    for (int i = 0; i < at; i++) /* a declaration of its own stays in front, and nothing reads it there */
        if (rg__c_count_var(block->kid[i], var)) return false;
    int uses = 0;
    for (int i = at + 1; i < block->n; i++) uses += rg__c_count_var(block->kid[i], var);
    if (uses + (s->kind == RG_C_STMT) != rg__c_count_var(t->root, var)) return false;
    struct rg__kids none = {0};
    rg__block_splice(t, block, at, 1, &none);
    struct rg_cnode *name = rg__c_var(t, code);
    for (int i = at; i < block->n; i++) block->kid[i] = rg__c_replace_var(t, block->kid[i], var, name);
    return true;
}

/* A condition that is a number, as of `a() || b()` where a() is known: the arm stands in its place. */
static void decide(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *x = block->kid[at];
    int64_t holds_it;
    if (x->kind != RG_C_IF || !rg__c_number(x->kid[0], &holds_it) || rg__mentions_kind(x, RG_C_LABEL)) return;
    struct rg_cnode *arm = holds_it ? x->kid[1] : x->n > 2 ? x->kid[2] : NULL;
    block->kid[at] = arm ? arm : rg_cnode_new(t, RG_C_BLOCK, 0);
}

static void look(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) decide(t, n, i);
    for (int i = 0; n->kind == RG_C_BLOCK && i + 1 < n->n; i++)
        if (renamed(t, n, i)) i--;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++)
        if (n->kid[i]->kind == RG_C_IF && thread(t, n, i)) i = -1;
    for (int i = 0; i < n->n; i++) look(t, n->kid[i]);
}

void rg__canon_codes(struct rg_ctree *t)
{
    if (rg__mentions_kind(t->root, RG_C_GOTO) || rg__mentions_kind(t->root, RG_C_LABEL)) return;
    look(t, t->root);
    rg__flatten_blocks(t, t->root);
}
