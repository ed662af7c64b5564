/* Rounds in which each element does something once, as soon as what others did lets it (peeling: the core of a graph,
 * what a failure brings down):
 *     do { changed = 0; for v: if (alive[v] && deg[v] < k) { alive[v] = 0; changed = 1; for e of v: deg[adj[e]]--; } }
 *     while (changed);
 * Whoever may do it may until it does, as counts only move one way, and does it once, as that ends its own condition;
 * what it does to others is sums. So the same ones do it in whatever order (Bjorner, Lovasz and Shor 1991: chip firing;
 * abelian networks), and who does it in a round may be found in front of it: for v: fires[v] = alive[v] && deg[v] < k;
 *     for v: changed = fires[v] ? 1 : changed;
 *     for v: if (fires[v]) { alive[v] = 0; for e of v: deg[adj[e]]--; }
 * How many rounds that takes is another number, so rounds must have no bound, and nothing may ask which it is. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/runs.h"

struct firing {
    struct rg_ctree *t;
    struct rg_cnode *rounds, *over; /* the loops over rounds and elements */
    struct rg_cnode *does;          /* the block of what one does */
    int flag;
    bool ends, flagged; /* it ends its own condition, sets the flag */
};

/* Is the scalar written but for where it is declared, or counts a loop? */
static bool assigned(const struct rg_cnode *n, int var)
{
    const bool writes = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    const struct rg_cnode *to = writes ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    if (to && to->kind == RG_C_VAR && to->array < 0 && to->var == var) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && assigned(n->kid[i], var)) return true;
    return false;
}

/* Is it the same whenever it is evaluated for one element? */
static bool fixed(const struct firing *f, const struct rg_cnode *e)
{
    switch (e->kind) {
    case RG_C_INT:
    case RG_C_REAL:
        return true;
    case RG_C_VAR:
        if (e->array >= 0 || e->pointer || e->type == RG_STRUCT || assigned(f->rounds, e->var)) return false;
        return e->var != f->flag && e->var != f->rounds->var;
    case RG_C_INDEX:
        if (e->pointer || e->type == RG_STRUCT || f->t->arrays[e->array].view ||
            rg__writes_array(f->rounds, e->array) || rg__c_declares_array(f->rounds, e->array))
            return false;
        break;
    case RG_C_UNARY:
        if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
        break;
    case RG_C_CAST:
        if (e->pointer || e->kid[0]->pointer) return false;
        break;
    case RG_C_BINARY:
    case RG_C_COND:
        break;
    default:
        return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!fixed(f, e->kid[i])) return false;
    return true;
}

/* a[v] of an array that the rounds write: which; -1. */
static int own_element(const struct firing *f, const struct rg_cnode *e)
{
    if (e->kind != RG_C_INDEX || e->n != 1 || e->pointer || !rg__scalar_is_int(e->type)) return -1;
    const struct rg_cnode *v = rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS);
    return v->kind == RG_C_VAR && v->array < 0 && v->var == f->over->var ? e->array : -1;
}

/* How often statements below n write the array. */
static int writers(const struct rg_cnode *n, int array)
{
    const bool writes = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    int count = writes && n->kid[0]->kind == RG_C_INDEX && n->kid[0]->array == array;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) count += writers(n->kid[i], array);
    return count;
}

/* Counts that wrap around could move back. */
static bool counts(enum rg_scalar type)
{
    return rg__scalar_is_int(type) && rg_scalar_is_signed(type) && rg_scalar_bytes(type) >= 4;
}

/* +1, -1: the way that the update of an element by a number moves it; 0: it is none. */
static int moves(const struct rg_cnode *e)
{
    int64_t by;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op) ? 1 : -1;
    if (e->kind != RG_C_ASSIGN || (e->op != RG_COP_ADD_SET && e->op != RG_COP_SUB_SET)) return 0;
    if (!rg__c_number(e->kid[1], &by) || by < 1 || by > INT32_MAX) return 0;
    if (!counts(e->kid[1]->type) || rg_scalar_bytes(e->kid[1]->type) > rg_scalar_bytes(e->kid[0]->type)) return 0;
    return e->op == RG_COP_ADD_SET ? 1 : -1;
}

/* Do all writes of the array move its elements that way? */
static bool only_moves(const struct rg_cnode *n, int array, int way)
{
    const bool writes = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    if (writes && n->kid[0]->kind == RG_C_INDEX && n->kid[0]->array == array && moves(n) != way) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !only_moves(n->kid[i], array, way)) return false;
    return true;
}

/* deg[v] < k, where counts only fall: once true it stays so. */
static bool stays(const struct firing *f, const struct rg_cnode *c)
{
    if (c->op != RG_COP_LT && c->op != RG_COP_LE && c->op != RG_COP_GT && c->op != RG_COP_GE) return false;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *e = c->kid[side];
        while (e->kind == RG_C_CAST && !e->pointer && counts(e->type) && counts(e->kid[0]->type) &&
               rg_scalar_bytes(e->type) >= rg_scalar_bytes(e->kid[0]->type))
            e = e->kid[0];
        const int a = own_element(f, e), way = (c->op == RG_COP_LT || c->op == RG_COP_LE) == (side == 0) ? -1 : 1;
        const enum rg_scalar common = rg__scalar_common(c->kid[0]->type, c->kid[1]->type);
        if (a >= 0 && counts(e->type) && counts(common) && only_moves(f->rounds, a, way) && fixed(f, c->kid[1 - side]))
            return true;
    }
    return false;
}

/* The number that the element itself is set to, the only thing that is done to such elements. */
static bool set_to(const struct firing *f, int array, int64_t *value)
{
    for (int k = 0; k < f->does->n; k++) {
        const struct rg_cnode *e = f->does->kid[k]->kind == RG_C_STMT ? f->does->kid[k]->kid[0] : NULL;
        if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || own_element(f, e->kid[0]) != array) continue;
        return writers(f->rounds, array) == 1 && rg__c_number(e->kid[1], value) && *value >= 0 &&
               *value <= (e->kid[0]->type == RG_BOOL ? 1 : 127);
    }
    return false;
}

/* alive[v], done[v] == 0: what is done makes it false. */
static bool is_ended(const struct firing *f, const struct rg_cnode *c)
{
    bool want = true;
    int64_t number = 0, value;
    while (c->op == RG_COP_NOT) {
        want = !want;
        c = c->kid[0];
    }
    if (c->op == RG_COP_EQ || c->op == RG_COP_NE) {
        if (!rg__c_number(c->kid[1], &number) || number < 0 || number > 127) return false;
        if (c->op == RG_COP_EQ) want = !want;
        c = c->kid[0];
    }
    const int a = own_element(f, rg__c_uncast(c, RG__C_WIDE_CASTS));
    return a >= 0 && set_to(f, a, &value) && (value != number) != want; /* `want`: while it is another number */
}

static bool condition(struct firing *f, const struct rg_cnode *c)
{
    if (c->op == RG_COP_AND) return condition(f, c->kid[0]) && condition(f, c->kid[1]);
    if (fixed(f, c) || stays(f, c)) return true;
    if (!is_ended(f, c)) return false;
    return f->ends = true;
}

static bool read_below(const struct rg_cnode *n, int var)
{
    const bool sets = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == var) return true;
    for (int i = sets; i < n->n; i++)
        if (n->kid[i] && read_below(n->kid[i], var)) return true;
    return false;
}

/* What one does: sums, and what it sets of its own. */
static bool statement(struct firing *f, const struct rg_cnode *s, bool top)
{
    if (s->kind == RG_C_BLOCK || s->kind == RG_C_LOOP) {
        const int from = s->kind == RG_C_LOOP ? 2 : 0;
        if (s->kind == RG_C_LOOP && (s->n != 3 || !fixed(f, s->kid[0]) || !fixed(f, s->kid[1]))) return false;
        for (int i = from; i < s->n; i++)
            if (!statement(f, s->kid[i], top && !from)) return false;
        return true;
    }
    if (s->kind == RG_C_IF) {
        if (!fixed(f, s->kid[0])) return false;
        for (int i = 1; i < s->n; i++)
            if (s->kid[i] && !statement(f, s->kid[i], false)) return false;
        return true;
    }
    if (s->kind == RG_C_DECL) return s->array < 0 && s->n == 1 && s->kid[0] && fixed(f, s->kid[0]);
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC)) return false;
    const struct rg_cnode *to = e->kid[0];
    if (to->kind == RG_C_VAR && to->array < 0 && !to->pointer && to->var == f->flag) { /* raised */
        int64_t one;
        const bool raises =
            moves(e) > 0 || (e->kind == RG_C_ASSIGN && (e->op == RG_COP_SET || e->op == RG_COP_BOR_SET) &&
                             rg__c_number(e->kid[1], &one) && one > 0 && one < 128);
        f->flagged = f->flagged || (raises && top);
        return raises;
    }
    if (to->kind == RG_C_VAR && to->array < 0 && !to->pointer) /* how many did: a sum that no round asks for */
        return moves(e) && counts(to->type) && to->var != f->rounds->kid[3]->var &&
               !rg__c_declares(f->rounds, to->var) && !read_below(f->rounds->kid[2], to->var);
    if (to->kind != RG_C_INDEX || to->pointer || f->t->arrays[to->array].view ||
        rg__c_declares_array(f->rounds, to->array))
        return false;
    if (own_element(f, to) >= 0 && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && top) /* nobody else's, once */
        return writers(f->rounds, to->array) == 1 && fixed(f, e->kid[1]);
    const int way = moves(e);
    for (int d = 0; d < to->n; d++)
        if (!fixed(f, to->kid[d])) return false;
    return way && counts(to->type) && only_moves(f->rounds, to->array, way);
}

/* Is the flag raised in front, and asked behind the elements: does a round follow where one has done something? */
static bool goes_on(struct firing *f, int at)
{
    const struct rg_cnode *body = f->rounds->kid[2], *go = f->rounds->kid[3];
    int64_t zero;
    if (at < 1 || go->kind != RG_C_VAR || go->array >= 0) return false;
    const struct rg_cnode *d = body->kid[at - 1], *e = d->kind == RG_C_STMT ? d->kid[0] : NULL, *value = NULL;
    if (d->kind == RG_C_DECL && d->array < 0 && d->n == 1) {
        f->flag = d->var;
        value = d->kid[0];
    } else if (e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_VAR) {
        f->flag = e->kid[0]->var;
        value = e->kid[1];
    }
    if (at != 1 || !value || !rg__c_number(value, &zero) || zero || !rg__scalar_is_int(f->t->vars[f->flag].type))
        return false;
    if (go->var == f->flag) return body->n == at + 1;
    const struct rg_cnode *last = body->n == at + 2 ? body->kid[at + 1] : NULL;
    e = last && last->kind == RG_C_STMT ? last->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->var != go->var)
        return false;
    const struct rg_cnode *c = rg__runs_widened(e->kid[1]);
    if ((c->op == RG_COP_NE || c->op == RG_COP_GT) && rg__c_number(c->kid[1], &zero) && !zero)
        c = rg__runs_widened(c->kid[0]);
    return c->kind == RG_C_VAR && c->array < 0 && c->var == f->flag;
}

static bool find(struct firing *f)
{
    const struct rg_cnode *body = f->rounds->kid[2];
    int64_t from, to;
    if (f->rounds->n != 4 || f->rounds->step != 1 || rg__c_mentions_var(body, f->rounds->var) ||
        !rg__c_number(f->rounds->kid[0], &from) || from || !rg__c_number(f->rounds->kid[1], &to) || to < INT32_MAX)
        return false;
    int at = 0;
    while (at < body->n && body->kid[at]->kind != RG_C_LOOP) at++;
    if (at == body->n || !goes_on(f, at)) return false;
    struct rg_cnode *over = f->over = body->kid[at], *only = over->kid[2]->n == 1 ? over->kid[2]->kid[0] : NULL;
    if (over->n != 3 || over->step != 1 || !rg__c_number(over->kid[0], &from) || from ||
        !rg__c_of_params(f->t, over->kid[1]) || !rg__c_to_expr(f->t, over->kid[1], &f->t->arena))
        return false;
    if (!only || only->kind != RG_C_IF || (only->n > 2 && only->kid[2]) || only->kid[1]->kind != RG_C_BLOCK ||
        assigned(over, over->var) || read_below(over, f->flag))
        return false;
    f->does = only->kid[1];
    return condition(f, only->kid[0]) && f->ends && statement(f, f->does, true) && f->flagged;
}

/* The block without what raises the flag. */
static void lower(const struct firing *f, struct rg_cnode *block)
{
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        if (!s || rg__c_is_expr(s)) continue;
        if (block->kind == RG_C_BLOCK && s->kind == RG_C_STMT && rg__c_writes_var(s, f->flag)) {
            struct rg__kids none = {0};
            rg__block_splice(f->t, block, i--, 1, &none);
        } else {
            lower(f, s);
        }
    }
}

/* for (v ..) statement, with a variable of its own. */
static struct rg_cnode *each(const struct firing *f, struct rg_cnode *s)
{
    struct rg_ctree *t = f->t;
    struct rg_cnode *l = rg__c_shallow(&t->arena, f->over), *body = rg_cnode_new(t, RG_C_BLOCK, 1);
    l->var = rg__c_add_var(t, t->vars[f->over->var].name, RG_CVAR_ITER, t->vars[f->over->var].type);
    t->vars[l->var].c_type = t->vars[f->over->var].c_type;
    l->kid[0] = rg__c_copy(t, l->kid[0]);
    l->kid[1] = rg__c_copy(t, l->kid[1]);
    body->kid[0] = rg__c_stands(s, f->over);
    body->line = f->over->line;
    l->kid[2] = rg__c_replace_var(t, body, f->over->var, rg__c_var(t, l->var));
    return l;
}

static void rewrite(struct firing *f, struct rg__kids *declarations)
{
    struct rg_ctree *t = f->t;
    struct rg_cnode *only = f->over->kid[2]->kid[0], *v = rg__c_var(t, f->over->var);
    const int fires =
        rg__placed_scratch(t, "fires", RG_I32, rg__c_to_expr(t, f->over->kid[1], &t->arena), f->over, declarations);
    struct rg_cnode *is = rg__c_index(t, fires, 1, &v), *raised = rg__c_cast(t, rg__c_int(t, 1), t->vars[f->flag].type);
    struct rg_cnode *found = each(f, rg__placed_set(t, rg__c_copy(t, is), only->kid[0], f->over)),
                    *any = each(f, rg__placed_set(t, rg__c_var(t, f->flag),
                                                  rg__c_choice(t, rg__c_copy(t, is), raised, rg__c_var(t, f->flag)),
                                                  f->over));
    only->kid[0] = is;
    lower(f, f->does);
    struct rg__kids all = {0};
    rg__kids_add(&all, found);
    rg__kids_add(&all, any);
    rg__kids_add(&all, f->over);
    for (int i = 0; i < f->rounds->kid[2]->n; i++)
        if (f->rounds->kid[2]->kid[i] == f->over) {
            rg__block_splice(t, f->rounds->kid[2], i, 1, &all);
            return;
        }
}

static void walk(struct rg_ctree *t, struct rg_cnode *n, struct rg__kids *declarations)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    struct firing f = {.t = t, .rounds = n, .flag = -1};
    if (n->kind == RG_C_LOOP && find(&f)) {
        rewrite(&f, declarations);
        return;
    }
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i], declarations);
}

void rg__canon_firing(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__kids declarations = {0};
    if (p->may_alias || rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    walk(t, t->root, &declarations);
    rg__block_splice(t, t->root, 0, 0, &declarations);
}
