/* Rows that a member leads to in an array of structures, `zones[z].lon[k]`: is every subscript of one below what its
 * own element says, `zones[z].n`? Then that is how long each row is, whatever the longest one has. Only what follows
 * from loops and from values that are set once, in front of the access and in the same run of its block. */
#include "frontend/infer/reach_walk.h"
#include <stdlib.h>

enum { MOST_NODES = 256, MOST_DEPTH = 12 };

struct rows {
    const struct rg__reach_walk *w;
    const struct rg_ctree *t;
    int param;
    const struct rg__reach_from *from;
    int n; /* nodes from the root to the access */
    const struct rg_cnode *path[MOST_NODES];
    bool bad;
};

/* Where an expression stands: below so many nodes of the path, in a statement of the last of them, which is a block;
 * NULL, on the way to the access. */
struct at {
    int level;
    const struct rg_cnode *statement;
};

/* The statement of a block that sets the local, in front of what leads to the access; NULL. *at: where it is then. */
static const struct rg_cnode *value_here(const struct rows *x, int var, struct at *at)
{
    if (x->w->several[var] || !x->w->value[var]) return NULL;
    for (int i = at->level - 1; i >= 0; i--) {
        const struct rg_cnode *b = x->path[i],
                              *to = i == at->level - 1 && at->statement ? at->statement : x->path[i + 1];
        for (int k = 0; b->kind == RG_C_BLOCK && k < b->n && b->kid[k] != to; k++) {
            const struct rg_cnode *s = b->kid[k];
            const bool declared = s->kind == RG_C_DECL && s->array < 0 && s->var == var && s->n;
            if (s->kind == RG_C_STMT) s = s->kid[0];
            const bool set = s->kind == RG_C_ASSIGN && s->op == RG_COP_SET && s->kid[0]->kind == RG_C_VAR &&
                             s->kid[0]->array < 0 && s->kid[0]->var == var;
            if (!declared && !set) continue;
            *at = (struct at){i + 1, b->kid[k]};
            return s->kid[declared ? 0 : 1];
        }
    }
    return NULL;
}

static int loop_at(const struct rows *x, int var, int level)
{
    for (int i = level - 1; i >= 0; i--)
        if (x->path[i]->kind == RG_C_LOOP && x->path[i]->var == var) return i;
    return -1;
}

static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    return rg__c_uncast(e, RG__C_INT_CASTS);
}

/* Have both expressions, each as it is at its level, the same value? */
static bool same(const struct rows *x, const struct rg_cnode *a, struct at at_a, const struct rg_cnode *b,
                 struct at at_b, int depth)
{
    if (depth > MOST_DEPTH) return false;
    a = plain(a);
    b = plain(b);
    const struct rg_cnode *v;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *e = i ? b : a;
        struct at at = i ? at_b : at_a;
        if (e->kind != RG_C_VAR || e->array >= 0 || !(v = value_here(x, e->var, &at))) continue;
        return i ? same(x, a, at_a, v, at, depth + 1) : same(x, v, at, b, at_b, depth + 1);
    }
    if (a->kind == RG_C_INT || b->kind == RG_C_INT) return a->kind == b->kind && a->ivalue == b->ivalue;
    if (a->kind == RG_C_VAR && a->array < 0) {
        const struct rg_cvar *var = &x->t->vars[a->var];
        const bool kept =
            (var->kind == RG_CVAR_PARAM && !var->assigned) ||
            (loop_at(x, a->var, at_a.level) >= 0 && loop_at(x, a->var, at_a.level) == loop_at(x, a->var, at_b.level));
        return kept && b->kind == RG_C_VAR && b->array < 0 && a->var == b->var;
    }
    if (a->kind == RG_C_INDEX) {
        const int p = x->t->arrays[a->array].param;
        if (p < 0 || x->w->written[p] || b->kind != RG_C_INDEX || a->array != b->array) return false;
    } else if (a->kind != RG_C_BINARY || (a->op != RG_COP_ADD && a->op != RG_COP_SUB && a->op != RG_COP_MUL)) {
        return false;
    }
    bool equal = a->kind == b->kind && a->op == b->op && a->n == b->n && a->type == b->type;
    for (int i = 0; equal && i < a->n; i++) equal = same(x, a->kid[i], at_a, b->kid[i], at_b, depth + 1);
    return equal;
}

struct linear { /* times * it + more */
    int64_t times, more;
};

static bool guarded(const struct rows *x, int var, int level, struct linear by, const struct rg_cnode *row, int depth);

/* a < b ? a : b of numbers alone that no run changes. */
static bool is_least(const struct rg_cnode *e)
{
    const struct rg_cnode *c = plain(e->kid[0]);
    const bool less = c->op == RG_COP_LT || c->op == RG_COP_LE, more = c->op == RG_COP_GT || c->op == RG_COP_GE;
    if (c->kind != RG_C_BINARY || (!less && !more)) return false;
    return rg__c_same(c->kid[!less], e->kid[1], RG__C_UNCAST) && rg__c_same(c->kid[less], e->kid[2], RG__C_UNCAST) &&
           rg__scalar_is_int(c->kid[0]->type) && c->kid[0]->type == c->kid[1]->type;
}

/* Is e, seen at that level, below the row's length, once it is times as much and so much more? row: the row's own
 * subscript. reaches: e itself may not be, as it is behind the last one. */
static bool below(const struct rows *x, const struct rg_cnode *e, struct at level, struct linear by, bool reaches,
                  const struct rg_cnode *row, int depth)
{
    int64_t k;
    e = plain(e);
    if (depth > MOST_DEPTH || by.times < 1) return false;
    if (e->kind == RG_C_COND && is_least(e))
        return below(x, e->kid[1], level, by, reaches, row, depth + 1) ||
               below(x, e->kid[2], level, by, reaches, row, depth + 1);
    if (e->kind == RG_C_COND)
        return below(x, e->kid[1], level, by, reaches, row, depth + 1) &&
               below(x, e->kid[2], level, by, reaches, row, depth + 1);
    if ((e->op == RG_COP_ADD || e->op == RG_COP_SUB) && e->kind == RG_C_BINARY)
        for (int i = 0; i < (e->op == RG_COP_ADD ? 2 : 1); i++) {
            struct linear in = by;
            if (!rg__c_number(plain(e->kid[1 - i]), &k) || __builtin_mul_overflow(k, by.times, &k)) continue;
            in.more += e->op == RG_COP_ADD ? k : -k;
            return below(x, e->kid[i], level, in, reaches, row, depth + 1);
        }
    if (e->op == RG_COP_SUB && e->kind == RG_C_BINARY && !reaches) { /* n - 1 - k of a loop from 0 */
        const struct rg_cnode *k_var = plain(e->kid[1]);
        const int l = k_var->kind == RG_C_VAR && k_var->array < 0 ? loop_at(x, k_var->var, level.level) : -1;
        if (l >= 0 && x->path[l]->step > 0 && rg__c_number(plain(x->path[l]->kid[0]), &k) && k >= 0)
            return below(x, e->kid[0], level, by, reaches, row, depth + 1);
    }
    if (e->op == RG_COP_MUL && e->kind == RG_C_BINARY)
        for (int i = 0; i < 2; i++) {
            struct linear in = by;
            if (!rg__c_number(plain(e->kid[1 - i]), &k) || k < 1 || k > RG__REACH_TIMES || by.times > RG__REACH_TIMES)
                continue;
            in.times *= k;
            return below(x, e->kid[i], level, in, reaches, row, depth + 1);
        }
    if (e->kind == RG_C_INDEX && !e->pointer && e->n == 1 && x->t->arrays[e->array].param == x->from->of)
        return !x->w->written[x->from->of] && by.times == x->from->times && by.more + !reaches <= x->from->more &&
               same(x, e->kid[0], level, row, (struct at){x->n, NULL}, 0);
    if (e->kind != RG_C_VAR || e->array >= 0) return false;
    const int loop = loop_at(x, e->var, level.level);
    if (loop >= 0) { /* its last value */
        const struct rg_cnode *l = x->path[loop];
        const struct at head = {loop, NULL};
        if (l->step < 0) return below(x, l->kid[0], head, by, reaches, row, depth + 1);
        /* x[k + 3] of a loop by 4s: how far that is behind n, the remainder decides; no row need be so long */
        if (l->step > 1 && x->from->more > 0) return false;
        struct linear in = by;
        in.more -= by.times - 1;
        if (!reaches && below(x, l->kid[1], head, in, true, row, depth + 1)) return true;
    }
    if (!reaches && level.level == x->n && guarded(x, e->var, x->n, by, row, depth)) return true;
    const struct rg_cnode *v = value_here(x, e->var, &level);
    return v && below(x, v, level, by, reaches, row, depth + 1);
}

struct guarded {
    const struct rows *x;
    int level;
    struct linear by;
    const struct rg_cnode *row;
    int depth;
};

static bool bounds(void *arg, const struct rg_cnode *e)
{
    const struct guarded *g = arg;
    return below(g->x, e, (struct at){g->level, NULL}, g->by, true, g->row, g->depth + 1);
}

/* The condition that is true wherever the path leads on from the node; NULL. */
static const struct rg_cnode *condition(const struct rg_cnode *n, const struct rg_cnode *on)
{
    if (n->kind == RG_C_FOR) return on == n->kid[3] ? n->kid[1] : NULL;
    if (n->kind == RG_C_WHILE) return on == n->kid[1] ? n->kid[0] : NULL;
    if (n->kind == RG_C_LOOP) return n->n > 3 && on == n->kid[2] ? n->kid[3] : NULL;
    if (n->kind == RG_C_IF || n->kind == RG_C_COND || n->op == RG_COP_AND) return on == n->kid[1] ? n->kid[0] : NULL;
    return NULL;
}

static bool guarded(const struct rows *x, int var, int level, struct linear by, const struct rg_cnode *row, int depth)
{
    by.more -= by.times - 1;
    for (int i = level - 2; i >= 0; i--) {
        const struct rg_cnode *of = x->path[i], *c = condition(of, x->path[i + 1]);
        struct guarded g = {x, i, by, row, depth};
        if (!c) continue;
        /* `k < n && x[k]`: nothing is set in between */
        const bool holds = of->op == RG_COP_AND && of->kind == RG_C_BINARY
                               ? rg__c_pure(x->t, of)
                               : rg__reach_still_holds(x->w, of, c, x->path[level - 1], var);
        if (holds && rg__reach_bounds(c, var, bounds, &g)) return true;
    }
    return false;
}

static void look(struct rows *x, const struct rg_cnode *n)
{
    if (!n || x->bad) return;
    if (x->n == MOST_NODES) {
        x->bad = true;
        return;
    }
    x->path[x->n++] = n;
    for (int i = 0; i < n->n; i++) look(x, n->kid[i]);
    const bool mine =
        (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array >= 0 && x->t->arrays[n->array].param == x->param;
    if (mine && !x->bad)
        x->bad = n->kind != RG_C_INDEX || n->n != 2 || rg_c_linear(x->t, n) ||
                 !below(x, n->kid[1], (struct at){x->n, NULL}, (struct linear){1, 0}, false, n->kid[0], 0);
    x->n--;
}

bool rg__reach_own_rows(const struct rg__reach_walk *w, int param)
{
    if (w->found.n != 1) return false;
    const struct rg_param *q = &w->l->p->params[w->found.from[0].of];
    struct rows *x = rg_xcalloc(1, sizeof *x);
    x->w = w;
    x->t = w->t;
    x->param = param;
    x->from = &w->found.from[0];
    if (q->n_dims == 1) look(x, w->t->root);
    const bool own = q->n_dims == 1 && !x->bad;
    free(x);
    return own;
}
