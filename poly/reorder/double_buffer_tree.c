/* The tree of a loop whose buffers take turns:
 *     if (lo < hi) body; ...                                      c times, if c copies make equal what is not so before
 *     if (lo + c + p < hi) {
 *         buffers = home; buffer of x = x where it is copied
 *         for (g = 0; g < max(hi - lo - c - 1, 0) / p; g++) { p times the body, over the buffers in turn, nothing
 * copied } x = buffer of x where it is copied
 *     }
 *     for (r = 0; r < min(hi - t, p); r++) body                   t: those done; at least one: what the C leaves in
 * each array */
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include "poly/reorder/double_buffer.h"
#include <string.h>

#define MOST_BYTES ((int64_t)2 << 30)

struct writing {
    const struct poly_turns *u;
    struct rg_arena *a;
    struct rg_ctree *t;
    const struct rg_cnode *at;
    int buffer[TURNS_ARRAYS]; /* array of the tree */
    int cap;
    bool *given; /* [var] a copy has it: the next one gets another */
};

/* What is replaced in a copy of a piece. */
struct swaps {
    int *var;                 /* [var] by another one; -1 as it is */
    const struct rg_cnode *t; /* what stands for the loop's variable; NULL */
    int array[TURNS_ARRAYS];  /* for u->array[i] */
};

static struct rg_cnode *make(struct writing *w, enum rg_c_kind kind, int n)
{
    return rg__c_new(w->a, kind, RG_COP_NONE, RG_I32, n, w->at);
}

static struct rg_cnode *number(struct writing *w, int64_t v)
{
    struct rg_cnode *c = make(w, RG_C_INT, 0);
    c->ivalue = v;
    c->type = w->t->vars[w->at->var].type;
    return c;
}

static struct rg_cnode *two(struct writing *w, enum rg_c_kind kind, enum rg_c_op op, const struct rg_cnode *x,
                            const struct rg_cnode *y)
{
    struct rg_cnode *c = rg__c_new(w->a, kind, op, x->type, 2, w->at);
    c->kid[0] = (struct rg_cnode *)x;
    c->kid[1] = (struct rg_cnode *)y;
    return c;
}

static struct rg_cnode *call(struct writing *w, const char *name, const struct rg_cnode *x, const struct rg_cnode *y)
{
    struct rg_cnode *c = two(w, RG_C_CALL, RG_COP_NONE, x, y);
    c->text = name;
    return c;
}

static struct rg_cnode *plus(struct writing *w, const struct rg_cnode *x, int64_t k)
{
    if (x->kind == RG_C_INT) return number(w, x->ivalue + k);
    return k ? two(w, RG_C_BINARY, k < 0 ? RG_COP_SUB : RG_COP_ADD, x, number(w, k < 0 ? -k : k))
             : (struct rg_cnode *)x;
}

static bool taken(const struct rg_ctree *t, const char *name)
{
    bool is = false;
    for (int v = 0; v < t->n_vars; v++) is = is || !strcmp(t->vars[v].name, name);
    for (int v = 0; v < t->n_arrays; v++) is = is || !strcmp(t->arrays[v].name, name);
    for (int v = 0; v < t->n_helpers; v++) is = is || !strcmp(t->helpers[v].name, name);
    return is;
}

static const char *fresh_name(struct writing *w, const char *from, const char *end)
{
    const char *name = rg_arena_printf(w->a, "%s%s", from, end);
    for (int k = 2; taken(w->t, name); k++) name = rg_arena_printf(w->a, "%s%s%s%d", from, end, *end ? "" : "_", k);
    return name;
}

static int fresh_var(struct writing *w, int like, const char *name)
{
    if (w->t->n_vars == w->cap) {
        struct rg_cvar *vars = rg_arena_alloc(w->a, sizeof *vars * (size_t)(w->cap = 2 * w->cap + 16));
        memcpy(vars, w->t->vars, sizeof *vars * (size_t)w->t->n_vars);
        w->t->vars = vars;
    }
    w->t->vars[w->t->n_vars] = w->t->vars[like];
    w->t->vars[w->t->n_vars].name = fresh_name(w,
                                               name                      ? name
                                               : w->t->vars[like].wanted ? w->t->vars[like].wanted
                                                                         : w->t->vars[like].name,
                                               "");
    w->t->cap_vars = w->t->n_vars + 1;
    return w->t->n_vars++;
}

static void own_vars(struct writing *w, const struct rg_cnode *n, int *var)
{
    if (!n) return;
    if (n->var >= 0 && n->array < 0 && (n->kind == RG_C_LOOP || n->kind == RG_C_DECL))
        var[n->var] = w->given[n->var] ? fresh_var(w, n->var, NULL) : n->var;
    if (n->var >= 0 && n->array < 0 && (n->kind == RG_C_LOOP || n->kind == RG_C_DECL)) w->given[n->var] = true;
    for (int i = 0; i < n->n; i++) own_vars(w, n->kid[i], var);
}

static struct rg_cnode *piece(struct writing *w, const struct rg_cnode *n, const struct swaps *x)
{
    if (!n) return NULL;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == w->at->var && x->t) return (struct rg_cnode *)x->t;
    struct rg_cnode *c = rg__c_shallow(w->a, n);
    for (int i = 0; i < n->n; i++) c->kid[i] = piece(w, n->kid[i], x);
    if (n->var >= 0 && n->array < 0 && x->var[n->var] >= 0) c->var = x->var[n->var];
    for (int i = 0; i < w->u->n && n->array >= 0; i++)
        if (n->array == w->u->array[i]) c->array = x->array[i];
    return c;
}

/* A piece with variables of its own. */
static struct rg_cnode *again(struct writing *w, const struct rg_cnode *n, struct swaps *x)
{
    int n_vars = w->u->s->tree->n_vars;
    x->var = rg_arena_alloc(w->a, sizeof(int) * (size_t)(n_vars + 1));
    for (int v = 0; v < n_vars; v++) x->var[v] = -1;
    own_vars(w, n, x->var);
    return piece(w, n, x);
}

static struct swaps as_it_stands(const struct writing *w)
{
    struct swaps x = {0};
    memcpy(x.array, w->u->array, sizeof x.array);
    return x;
}

/* The last iterations, from one on: a period of them at most. */
static struct rg_cnode *rest(struct writing *w, const struct rg_cnode *from, const struct rg_cnode *to)
{
    struct swaps x = as_it_stands(w);
    struct rg_cnode *l = make(w, RG_C_LOOP, 3), *r = make(w, RG_C_VAR, 0);
    *l = *w->at;
    l->kid = rg_arena_alloc(w->a, 3 * sizeof *l->kid);
    l->var = r->var = fresh_var(w, w->at->var, "left");
    r->type = w->t->vars[r->var].type;
    x.t = two(w, RG_C_BINARY, RG_COP_ADD, from, r);
    l->kid[0] = number(w, 0);
    l->kid[1] = call(w, "min", two(w, RG_C_BINARY, RG_COP_SUB, to, from), number(w, w->u->period));
    l->kid[2] = again(w, w->at->kid[2], &x);
    l->made = "as it stands, behind those whose buffers take turns";
    return l;
}

/* to = from, all of it, or where copy says. */
static struct rg_cnode *filling(struct writing *w, int to, int from)
{
    const struct rg_carray *a = &w->t->arrays[to];
    struct rg_cnode *left = make(w, RG_C_INDEX, a->n_dims), *right = make(w, RG_C_INDEX, a->n_dims), *c;
    int var[POLY_MAX_DIMS];
    left->array = to;
    right->array = from;
    left->type = right->type = a->elem;
    for (int d = 0; d < a->n_dims; d++) {
        var[d] = fresh_var(w, w->at->var, rg_arena_printf(w->a, "at%d", d));
        left->kid[d] = make(w, RG_C_VAR, 0);
        left->kid[d]->var = var[d];
        left->kid[d]->type = w->t->vars[var[d]].type;
        right->kid[d] = left->kid[d];
    }
    struct rg_cnode *assign = two(w, RG_C_ASSIGN, RG_COP_SET, left, right);
    c = make(w, RG_C_STMT, 1);
    c->kid[0] = assign;
    for (int d = a->n_dims - 1; d >= 0; d--) {
        struct rg_cnode *l = make(w, RG_C_LOOP, 3);
        l->var = var[d];
        l->step = 1;
        l->kid[0] = number(w, 0);
        l->kid[2] = c;
        c = l;
    }
    return c;
}

/* An extent as a tree; NULL when it is none over parameters that stay as they are. */
static struct rg_cnode *extent(struct writing *w, const struct rg_expr *e)
{
    static const enum rg_c_op ops[] = {RG_COP_ADD, RG_COP_SUB, RG_COP_MUL};
    if (e->kind == RG_EXPR_INT) return number(w, e->value);
    if (e->kind == RG_EXPR_NAME) {
        int p = rg_problem_param(w->u->s->problem, e->name);
        for (int v = 0; v < w->t->n_vars && p >= 0; v++)
            if (w->t->vars[v].kind == RG_CVAR_PARAM && w->t->vars[v].param == p && !w->t->vars[v].assigned) {
                struct rg_cnode *c = make(w, RG_C_VAR, 0);
                c->var = v;
                c->type = w->t->vars[v].type;
                return c;
            }
        return NULL;
    }
    if (e->kind != RG_EXPR_BINARY || e->op > RG_OP_MUL) return NULL;
    struct rg_cnode *x = extent(w, e->args[0]), *y = x ? extent(w, e->args[1]) : NULL;
    return y ? two(w, RG_C_BINARY, ops[e->op], x, y) : NULL;
}

static struct rg_cnode *filled(struct writing *w, int to, int from)
{
    struct rg_cnode *c = filling(w, to, from), *l = c;
    for (int d = 0; d < w->t->arrays[to].n_dims; d++, l = l->kid[2])
        if (!(l->kid[1] = extent(w, w->t->arrays[to].dims[d]))) return NULL;
    return c;
}

/* The nest of a copy, between two other arrays. */
static struct rg_cnode *copied(struct writing *w, int to, int from)
{
    const struct poly_scop *s = w->u->s;
    const struct poly_stmt *st = &s->stmts[rg__poly_stmt_of(s, w->u->copy[0])];
    struct swaps x = as_it_stands(w);
    x.array[0] = to;
    x.array[1] = from;
    struct rg_cnode *c = (struct rg_cnode *)w->u->copy[0];
    for (int d = st->depth - 1; d > 0; d--) {
        struct rg_cnode *l = rg__c_shallow(w->a, s->loops[st->loops[d]].node);
        l->kid[2] = c;
        c = l;
    }
    return again(w, c, &x);
}

static bool buffers(struct writing *w)
{
    const struct rg_problem *p = w->u->s->problem;
    const struct rg_carray *like = &w->t->arrays[w->u->array[0]];
    for (int i = 0; i < p->n_sizes; i++) {
        struct rg_problem_env env;
        int64_t bytes = (int64_t)rg_scalar_bytes(like->elem), v;
        rg_problem_env_init(&env, p, &p->sizes[i]);
        for (int d = 0; d < like->n_dims; d++)
            if (rg_expr_eval(like->dims[d], &env.env, &v, NULL) != RG_OK ||
                __builtin_mul_overflow(bytes, v > 1 ? v : 1, &bytes) || bytes > MOST_BYTES)
                return false;
    }
    struct rg_carray *arrays = rg_arena_alloc(w->a, sizeof *arrays * (size_t)(w->t->n_arrays + w->u->n));
    memcpy(arrays, w->t->arrays, sizeof *arrays * (size_t)w->t->n_arrays);
    w->t->arrays = arrays;
    for (int i = 0; i < w->u->n; i++) {
        w->buffer[i] = w->u->array[i];
        if (i == w->u->home) continue;
        const struct rg_carray *of = &arrays[w->u->array[i]];
        struct rg_carray *n = &arrays[w->t->n_arrays];
        *n = (struct rg_carray){.name = fresh_name(w, of->name, "_turn"),
                                .param = -1,
                                .elem = of->elem,
                                .struct_index = -1,
                                .c_elem = of->c_elem,
                                .n_dims = of->n_dims,
                                .dims = of->dims};
        w->buffer[i] = w->t->n_arrays++;
    }
    w->t->cap_arrays = w->t->n_arrays;
    return true;
}

/* p iterations from first + p * g on. */
static struct rg_cnode *turns(struct writing *w, const struct rg_cnode *first, int g)
{
    const struct poly_turns *u = w->u;
    const struct rg_cnode *kids[TURNS_PERIOD * TURNS_ITEMS];
    int n = 0;
    struct rg_cnode *round = make(w, RG_C_VAR, 0);
    round->var = g;
    round->type = w->t->vars[g].type;
    for (int k = 0; k < u->period; k++) {
        struct rg_cnode *body = rg__poly_block_of(w->a, u->item, u->n_items, w->at);
        struct swaps x = {.t = two(w, RG_C_BINARY, RG_COP_ADD,
                                   two(w, RG_C_BINARY, RG_COP_MUL, round, number(w, u->period)), plus(w, first, k))};
        x.var = rg_arena_alloc(w->a, sizeof(int) * (size_t)(u->s->tree->n_vars + 1));
        for (int v = 0; v < u->s->tree->n_vars; v++) x.var[v] = -1;
        own_vars(w, body, x.var);
        for (int i = 0; i < u->n_items; i++) {
            if (i >= u->first_copy && i < u->first_copy + u->n_copy_items) continue;
            for (int q = 0; q < u->n; q++) x.array[q] = w->buffer[u->place[k][i][q]];
            kids[n++] = piece(w, u->item[i], &x);
        }
    }
    return rg__poly_block_of(w->a, kids, n, w->at);
}

const struct rg_ctree *rg__poly_turns_tree(const struct poly_turns *u)
{
    struct writing w = {.u = u, .a = u->a, .at = u->s->loops[u->loop].node};
    const struct rg_cnode *lo = w.at->kid[0], *hi = w.at->kid[1], *in[4 * TURNS_ARRAYS], *all[TURNS_ARRAYS + 2];
    int n = 0, n_all = 0, peel = u->equal ? 0 : u->n - 1;
    w.t = rg_arena_alloc(w.a, sizeof *w.t);
    *w.t = *u->s->tree;
    w.cap = w.t->n_vars;
    w.given = rg_arena_alloc(w.a, (size_t)w.cap + 1);
    memset(w.given, 0, (size_t)w.cap + 1);
    if (!buffers(&w)) return NULL;
    for (int k = 0; k < peel; k++) {
        struct swaps x = as_it_stands(&w);
        x.t = plus(&w, lo, k);
        struct rg_cnode *body = again(&w, w.at->kid[2], &x);
        all[n_all++] = two(&w, RG_C_IF, RG_COP_NONE, two(&w, RG_C_BINARY, RG_COP_LT, x.t, hi), body);
    }
    for (int i = 0; i < u->n; i++) {
        if (i == u->home) continue;
        if (!(in[n++] = filled(&w, w.buffer[i], u->array[u->home]))) return NULL;
        if (u->start[i] == i) in[n++] = copied(&w, w.buffer[i], u->array[i]);
    }
    struct rg_cnode *first = plus(&w, lo, peel),
                    *left = lo->kind == RG_C_INT ? plus(&w, hi, -(lo->ivalue + peel + 1))
                                                 : plus(&w, two(&w, RG_C_BINARY, RG_COP_SUB, hi, lo), -(peel + 1));
    struct rg_cnode *rounds =
        two(&w, RG_C_BINARY, RG_COP_DIV, call(&w, "max", left, number(&w, 0)), number(&w, u->period));
    struct rg_cnode *big = make(&w, RG_C_LOOP, 3);
    big->var = fresh_var(&w, w.at->var, "turn");
    big->step = 1;
    big->made = rg_arena_printf(w.a, "%s and %s take turns: nothing is copied", w.t->arrays[u->array[0]].name,
                                w.t->arrays[u->array[u->n - 1]].name);
    big->kid[0] = number(&w, 0);
    big->kid[1] = rounds;
    big->kid[2] = turns(&w, first, big->var);
    in[n++] = big;
    for (int i = 0; i < u->n; i++)
        if (i != u->home && u->start[i] == i) in[n++] = copied(&w, u->array[i], w.buffer[i]);
    all[n_all++] = two(&w, RG_C_IF, RG_COP_NONE, two(&w, RG_C_BINARY, RG_COP_LT, plus(&w, first, u->period), hi),
                       rg__poly_block_of(w.a, in, n, w.at));
    struct rg_cnode *done = two(&w, RG_C_BINARY, RG_COP_MUL, rounds, number(&w, u->period));
    all[n_all++] =
        rest(&w, first->kind == RG_C_INT && !first->ivalue ? done : two(&w, RG_C_BINARY, RG_COP_ADD, first, done), hi);
    w.t->root = rg__poly_tree_with(w.a, u->s->tree->root, w.at, rg__poly_block_of(w.a, all, n_all, w.at));
    return w.t;
}

enum rg_status rg__poly_turns_everywhere(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err)
{
    for (int loop = 0; loop < (*s)->n_loops; loop++) {
        struct poly_turns u;
        const struct rg_ctree *t = rg__poly_turns_of(*s, loop, arena, &u) ? rg__poly_turns_tree(&u) : NULL;
        struct poly_scop *next;
        if (!t) continue;
        struct rg_ctree *turned = rg_arena_alloc(arena, sizeof *turned);
        *turned = *t;
        rg_ctree_prepare(arena, turned, RG_PREPARE_PING_PONG, (*s)->loops[loop].name, (*s)->loops[loop].node->line);
        enum rg_status st = rg__poly_scop_new((*s)->problem, turned, &next, err);
        rg__poly_scop_free(*s);
        *s = next;
        if (st != RG_OK) return st;
        loop = -1; /* what was made of it says so */
    }
    return RG_OK;
}
