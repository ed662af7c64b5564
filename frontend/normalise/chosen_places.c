/* Places that a mode chooses: for y: for x: { if (turn) o = x * h + y; else o = y * w + x; dst[o] = ..; }, or strides
 * that are set in front of the loops, `rs = t ? 1 : m`. Each choice alone says where rows begin, together they say
 * nothing. What stores there is written once for each choice (loop unswitching, of what follows the condition):
 *     if (turn) dst[x * h + y] = ..; else dst[y * w + x] = ..;
 * The conditions ask parameters alone. Only places that are no linear sums of counters are worth it. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

enum { MOST_CHOSEN = 8, MOST_CONDITIONS = 8, MOST_LEAVES = 8, MOST_SIZE = 2000 };

struct chosen { /* on the way to a leaf: what scalars were set to, and how conditions came out */
    int n, n_conditions;
    int var[MOST_CHOSEN];
    struct rg_cnode *value[MOST_CHOSEN];
    const struct rg_cnode *condition[MOST_CONDITIONS];
    bool holds[MOST_CONDITIONS];
};

struct rest { /* statements that follow on the way */
    struct rg_cnode *const *items;
    int n;
    const struct rest *then;
};

struct choosing {
    struct rg_ctree *t;
    const struct rg_cnode *stored; /* the statement that stores there */
    const int *vars;               /* what is chosen in front of it */
    int n_vars;
    int leaves;
    bool bad;
};

/* ---- which scalars, and by what ---- */

static bool scalars_only(const struct rg_ctree *t, const struct rg_cnode *e)
{
    bool is = e->kind == RG_C_INT || e->kind == RG_C_CAST || e->kind == RG_C_UNARY || e->kind == RG_C_BINARY ||
              e->kind == RG_C_COND || (e->kind == RG_C_VAR && e->array < 0);
    if (!is || e->pointer || !rg__scalar_is_int(e->type)) return false;
    for (int i = 0; i < e->n; i++)
        if (!scalars_only(t, e->kid[i])) return false;
    return rg__c_pure(t, e);
}

static bool of_params(const struct rg_ctree *t, const struct rg_cnode *e, bool *any)
{
    if (e->kind == RG_C_VAR) {
        *any = true;
        return t->vars[e->var].kind == RG_CVAR_PARAM && !t->vars[e->var].assigned;
    }
    for (int i = 0; i < e->n; i++)
        if (!of_params(t, e->kid[i], any)) return false;
    return true;
}

static bool is_mode(const struct rg_ctree *t, const struct rg_cnode *c)
{
    bool any = false;
    return scalars_only(t, c) && !rg__c_divides(c) && of_params(t, c, &any) && any;
}

/* The choice that the value is, below conversions; NULL. */
static const struct rg_cnode *choice(const struct rg_ctree *t, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_COND && is_mode(t, e->kid[0]) ? e : NULL;
}

/* That value where the choice is its kid k. */
static struct rg_cnode *chosen_value(struct rg_ctree *t, const struct rg_cnode *e, int k)
{
    if (e->kind == RG_C_COND) return rg__c_cast(t, rg__c_copy(t, e->kid[k]), e->type);
    return rg__c_cast(t, chosen_value(t, e->kid[0], k), e->type);
}

/* v = e of an integer that the function declares: v, else -1. */
static int sets(const struct rg_ctree *t, const struct rg_cnode *s, struct rg_cnode **value)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int v = -1;
    if (s->kind == RG_C_DECL && s->array < 0 && s->var >= 0 && s->n == 1) {
        v = s->var;
        *value = s->kid[0];
    } else if (a && a->kind == RG_C_ASSIGN && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR &&
               a->kid[0]->array < 0 && !a->kid[0]->pointer) {
        v = a->kid[0]->var;
        *value = a->kid[1];
    }
    bool is = v >= 0 && t->vars[v].kind == RG_CVAR_LOCAL && rg__scalar_is_int(t->vars[v].type) &&
              t->vars[v].type != RG_BOOL && scalars_only(t, *value);
    return is ? v : -1;
}

static bool adds(int *vars, int *n, int v)
{
    for (int i = 0; i < *n; i++)
        if (vars[i] == v) return true;
    if (*n == MOST_CHOSEN) return false;
    vars[(*n)++] = v;
    return true;
}

/* Does the statement do nothing but choose scalars? Those are added. */
static bool chooses(const struct rg_ctree *t, const struct rg_cnode *x, int *vars, int *n)
{
    struct rg_cnode *value;
    if (x->kind == RG_C_BLOCK) {
        for (int i = 0; i < x->n; i++)
            if (!chooses(t, x->kid[i], vars, n)) return false;
        return true;
    }
    if (x->kind == RG_C_IF) {
        if (!is_mode(t, x->kid[0])) return false;
        for (int k = 1; k < x->n; k++)
            if (x->kid[k] && !chooses(t, x->kid[k], vars, n)) return false;
        return true;
    }
    int v = x->kind == RG_C_STMT ? sets(t, x, &value) : -1;
    return v >= 0 && adds(vars, n, v);
}

/* ---- is it worth it? ---- */

static bool has_var(const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return true;
    for (int i = 0; i < e->n; i++)
        if (has_var(e->kid[i])) return true;
    return false;
}

static bool names(const struct rg_cnode *e, const int *vars, int n)
{
    for (int i = 0; i < n; i++)
        if (rg__c_mentions_var(e, vars[i])) return true;
    return false;
}

/* A product of what are no numbers; of one of `vars`, where there are any. */
static bool product(const struct rg_cnode *e, const int *vars, int n)
{
    if (e->op == RG_COP_MUL && has_var(e->kid[0]) && has_var(e->kid[1]) && (!n || names(e, vars, n))) return true;
    for (int i = 0; i < e->n; i++)
        if (product(e->kid[i], vars, n)) return true;
    return false;
}

/* The choice of a product in an expression; NULL. */
static struct rg_cnode *choice_in(const struct rg_ctree *t, struct rg_cnode *e, bool of_product)
{
    if (e->kind == RG_C_COND && is_mode(t, e->kid[0]) && (!of_product || product(e, NULL, 0))) return e;
    for (int i = 0; i < e->n; i++) {
        bool whole = of_product && e->op == RG_COP_MUL && has_var(e->kid[1 - i]);
        struct rg_cnode *c = choice_in(t, e->kid[i], of_product && !whole);
        if (c) return c;
    }
    return NULL;
}

/* The first choice in a subscript that n stores to. Of a product: one that makes the subscript no linear sum. */
static struct rg_cnode *stored_choice(const struct rg_ctree *t, struct rg_cnode *n, bool of_product)
{
    if (!n) return NULL;
    struct rg_cnode *to = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC ? n->kid[0] : NULL, *c = NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    for (int i = 0; to && to->kind == RG_C_INDEX && i < to->n && !c; i++)
        if (scalars_only(t, to->kid[i])) c = choice_in(t, to->kid[i], of_product);
    for (int i = 0; i < n->n && !c; i++) c = stored_choice(t, n->kid[i], of_product);
    return c;
}

/* Does n store to a place that one of the scalars says, or multiplies? */
static bool stores_there(const struct rg_ctree *t, const struct rg_cnode *n, const int *vars, int n_vars,
                         bool multiplied)
{
    if (!n) return false;
    const struct rg_cnode *to = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    for (int i = 0; to && to->kind == RG_C_INDEX && i < to->n; i++)
        if (names(to->kid[i], vars, n_vars) && (!multiplied || product(to->kid[i], vars, n_vars))) return true;
    for (int i = 0; i < n->n; i++)
        if (stores_there(t, n->kid[i], vars, n_vars, multiplied)) return true;
    return false;
}

/* ---- is it safe? ---- */

/* May it be written several times, each in an arm? */
static bool may_repeat(const struct rg_ctree *t, const struct rg_cnode *s)
{
    static const enum rg_c_kind others[] = {RG_C_RETURN, RG_C_GOTO,   RG_C_LABEL,
                                            RG_C_SWITCH, RG_C_OPAQUE, RG_C_VERBATIM};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (rg__mentions_kind(s, others[i])) return false;
    return s->kind != RG_C_DECL && !rg__leaves_early(s) && rg__c_size(s) <= MOST_SIZE && !rg__moves_gets_memory(t, s);
}

/* Does s write, or hide, a scalar that e names? */
static bool changes(const struct rg_ctree *t, const struct rg_cnode *s, const struct rg_cnode *e)
{
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(e, v) &&
            (rg__c_writes_var(s, v) || rg__c_binds(s, v) || rg__c_declares(s, v) || rg__c_addressed(t->root, v)))
            return true;
    return rg__mentions_kind(s, RG_C_VERBATIM);
}

/* ---- a leaf for each choice ---- */

static void set_to(struct choosing *c, struct chosen *way, int var, const struct rg_cnode *value)
{
    struct rg_ctree *t = c->t;
    struct rg_cnode *e = rg__c_cast(t, rg__c_copy(t, value), t->vars[var].type);
    for (int i = 0; i < way->n; i++) e = rg__c_replace_var(t, e, way->var[i], way->value[i]);
    c->bad = c->bad || names(e, c->vars, c->n_vars); /* what that is behind the choice is another value */
    for (int i = 0; i < way->n; i++)
        if (way->var[i] == var) {
            way->value[i] = e;
            return;
        }
    if (way->n == MOST_CHOSEN) {
        c->bad = true;
        return;
    }
    way->var[way->n] = var;
    way->value[way->n++] = e;
}

/* 1, 0: known; -1: not. */
static int known(const struct chosen *way, const struct rg_cnode *condition)
{
    for (int i = 0; i < way->n_conditions; i++)
        if (rg__c_equal(way->condition[i], condition)) return way->holds[i];
    return -1;
}

static struct rg_cnode *built(struct choosing *c, struct chosen way, struct rest at);

/* if (condition) what follows `yes` else what follows `no` */
static struct rg_cnode *fork(struct choosing *c, const struct chosen *way, const struct rg_cnode *condition,
                             struct chosen yes, struct rest at_yes, struct chosen no, struct rest at_no)
{
    struct rg_ctree *t = c->t;
    int is = known(way, condition);
    if (is >= 0) return is ? built(c, yes, at_yes) : built(c, no, at_no);
    if (way->n_conditions == MOST_CONDITIONS || c->bad) return c->bad = true, NULL;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 3);
    x->kid[0] = rg__c_copy(t, condition);
    for (int k = 0; k < 2; k++) {
        struct chosen *w = k ? &no : &yes;
        w->condition[w->n_conditions] = condition;
        w->holds[w->n_conditions++] = !k;
        struct rg_cnode *arm = built(c, *w, k ? at_no : at_yes);
        if (!arm) return NULL;
        x->kid[1 + k] = rg_cnode_new(t, RG_C_BLOCK, 1);
        x->kid[1 + k]->kid[0] = arm;
        x->kid[1 + k]->line = c->stored->line;
    }
    return rg__c_stands(x, c->stored);
}

/* The statement with what was chosen, itself a choice where its places still hold one. */
static struct rg_cnode *leaf(struct choosing *c, const struct chosen *way)
{
    struct rg_ctree *t = c->t;
    struct rg_cnode *s = rg__c_copy(t, c->stored), *at;
    for (int i = 0; i < way->n; i++) s = rg__c_replace_var(t, s, way->var[i], way->value[i]);
    while ((at = stored_choice(t, s, false))) {
        const struct rg_cnode *condition = rg__c_copy(t, at->kid[0]);
        int is = known(way, condition);
        if (is < 0) {
            struct rest none = {0};
            return fork(c, way, condition, *way, none, *way, none);
        }
        enum rg_scalar type = at->type;
        struct rg_cnode *value = rg__c_cast(t, at->kid[is ? 1 : 2], type);
        *at = *value;
    }
    if (++c->leaves > MOST_LEAVES) return c->bad = true, NULL;
    rg__moves_fresh(t, s, s);
    rg__moves_fresh_arrays(t, s, s);
    return s;
}

static struct rg_cnode *built(struct choosing *c, struct chosen way, struct rest at)
{
    while (!c->bad) {
        if (!at.n) {
            if (!at.then) return leaf(c, &way);
            at = *at.then;
            continue;
        }
        struct rg_cnode *x = at.items[0], *value = NULL;
        at.items++;
        at.n--;
        const struct rest behind = at;
        if (x->kind == RG_C_BLOCK) {
            return built(c, way, (struct rest){x->kid, x->n, &behind});
        } else if (x->kind == RG_C_IF) {
            struct rest yes = {x->kid + 1, 1, &behind}, no = {x->kid + 2, x->n > 2 && x->kid[2], &behind};
            return fork(c, &way, x->kid[0], way, yes, way, no);
        }
        int v = sets(c->t, x, &value);
        const struct rg_cnode *e = choice(c->t, value);
        if (e) {
            struct chosen yes = way, no = way;
            set_to(c, &yes, v, chosen_value(c->t, value, 1));
            set_to(c, &no, v, chosen_value(c->t, value, 2));
            return fork(c, &way, e->kid[0], yes, at, no, at);
        }
        set_to(c, &way, v, value);
    }
    return NULL;
}

/* ---- the walk ---- */

/* What the scalar was given in front of block->kid[at], straight before. */
static struct rg_cnode *given_before(const struct rg_ctree *t, const struct rg_cnode *block, int at, int var)
{
    for (int i = at - 1; i >= 0; i--) {
        struct rg_cnode *x = block->kid[i], *value;
        if (sets(t, x, &value) == var) {
            for (int k = i; k < at; k++)
                if (changes(t, block->kid[k], value)) return NULL;
            return value;
        }
        if (rg__c_writes_var(x, var) || rg__c_declares(x, var) || rg__leaves_early(x)) return NULL;
    }
    return NULL;
}

/* block->kid[at] once for each way through `how`, of the scalars `vars`, of which some were given before. */
static void split(struct rg_ctree *t, struct rg_cnode *block, int at, struct rest how, const int *vars, int n,
                  const struct chosen *begin)
{
    struct choosing c = {.t = t, .stored = block->kid[at], .vars = vars, .n_vars = n};
    const int was_vars = t->n_vars, was_arrays = t->n_arrays;
    struct rg_cnode *x = built(&c, *begin, how);
    if (c.bad || !x) {
        t->n_vars = was_vars;
        t->n_arrays = was_arrays;
        return;
    }
    struct rg__kids with = {0};
    rg__kids_add(&with, x);
    rg__block_splice(t, block, at, 1, &with);
}

/* How many statements from there on choose: one with branches, or all that follow one another and are a choice's. */
static int choosers(const struct rg_ctree *t, const struct rg_cnode *block, int at, int *vars, int *n)
{
    struct rg_cnode *value = NULL;
    int count = 0;
    if (block->kid[at]->kind == RG_C_IF) return chooses(t, block->kid[at], vars, n) && *n;
    for (; at + count < block->n; count++) {
        int v = sets(t, block->kid[at + count], &value);
        if (v < 0 || !choice(t, value) || !adds(vars, n, v)) break;
    }
    return count;
}

/* What follows the choosers at `at` and stores where they say; how many those are. */
static int follow(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    int vars[MOST_CHOSEN], n = 0, count = choosers(t, block, at, vars, &n);
    struct chosen begin = {0};
    struct choosing c = {.t = t, .vars = vars, .n_vars = n};
    bool products = false;
    for (int i = 0; i < n && count && block->kid[at]->kind == RG_C_IF; i++) {
        struct rg_cnode *before = given_before(t, block, at, vars[i]);
        if (before) set_to(&c, &begin, vars[i], before);
    }
    for (int i = 0; i < count; i++) products |= product(block->kid[at + i], NULL, 0);
    for (int i = 0; i < begin.n; i++) products |= product(begin.value[i], NULL, 0);
    for (int i = at + count; i < block->n && count && !c.bad; i++) {
        struct rg_cnode *s = block->kid[i];
        bool fixed = true;
        for (int k = 0; k < count; k++) fixed = fixed && !changes(t, s, block->kid[at + k]);
        for (int k = 0; k < n; k++)
            fixed = fixed && !rg__c_writes_var(s, vars[k]) && !rg__c_binds(s, vars[k]) && !rg__c_declares(s, vars[k]) &&
                    !rg__c_addressed(t->root, vars[k]);
        for (int k = 0; k < begin.n; k++) fixed = fixed && !changes(t, s, begin.value[k]);
        if (!fixed) break;
        if (stores_there(t, s, vars, n, !products) && may_repeat(t, s))
            split(t, block, i, (struct rest){block->kid + at, count, NULL}, vars, n, &begin);
    }
    return count;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        if (n->kid[i]->kind == RG_C_STMT && may_repeat(t, n->kid[i]) && stored_choice(t, n->kid[i], true)) {
            struct chosen none = {0};
            split(t, n, i, (struct rest){0}, NULL, 0, &none);
        }
        int count = follow(t, n, i);
        if (count) i += count - 1;
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !rg__c_is_expr(n->kid[i])) walk(t, n->kid[i]);
}

void rg__canon_chosen_places(struct rg_ctree *t)
{
    if (!rg__mentions_kind(t->root, RG_C_LABEL)) walk(t, t->root);
}
