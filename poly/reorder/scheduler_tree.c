/* From the loops isl generates for an order back to a tree like the front end's. */
#include "poly/reorder/scheduler.h"
#include <isl/id.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATORS = 3 * POLY_MAX_DEPTH };

struct building {
    struct poly_nest *nest;
    struct rg_arena *a;
    struct rg_ctree *t;
    const struct rg_cnode *at; /* of the user's file: where the new nodes say they stand */
    enum rg_scalar type;       /* of iterators */
    int depth;                 /* loops and constants open */
    struct {
        const char *id;
        struct rg_cnode *value;
        int var; /* a loop's; -1 */
    } env[MAX_ITERATORS];
    int loops; /* made so far */
    bool failed;
};

/* ---- nodes ---- */

static struct rg_cnode *node(struct building *b, enum rg_c_kind kind, int n)
{
    return rg__c_new(b->a, kind, RG_COP_NONE, b->type, n, b->at);
}

static struct rg_cnode *integer(struct building *b, int64_t v)
{
    struct rg_cnode *c = node(b, RG_C_INT, 0);
    c->ivalue = v;
    return c;
}

static struct rg_cnode *variable(struct building *b, int var)
{
    struct rg_cnode *c = node(b, RG_C_VAR, 0);
    c->var = var;
    c->type = b->t->vars[var].type;
    return c;
}

/* The new bounds subtract. */
static enum rg_scalar signed_of(enum rg_scalar type)
{
    return rg_scalar_bytes(type) < 8 ? RG_I32 : type == RG_ULONG || type == RG_LONG ? RG_LONG : RG_LLONG;
}

static struct rg_cnode *as_type(struct building *b, struct rg_cnode *x, enum rg_scalar type)
{
    if (x->type == type) return x;
    struct rg_cnode *c = node(b, RG_C_CAST, 1);
    c->type = type;
    c->kid[0] = x;
    return c;
}

static bool is_int(const struct rg_cnode *c, int64_t *v)
{
    *v = c->ivalue;
    return c->kind == RG_C_INT;
}

static struct rg_cnode *binary(struct building *b, enum rg_c_op op, struct rg_cnode *x, struct rg_cnode *y)
{
    int64_t u, v;
    const bool add = op == RG_COP_ADD, sum = add || op == RG_COP_SUB;
    if (is_int(x, &u) && is_int(y, &v) && (sum || op == RG_COP_MUL))
        return integer(b, add ? u + v : sum ? u - v : u * v);
    if (sum && is_int(y, &v) && v == 0) return x;
    if (add && is_int(x, &u) && u == 0) return y;
    if (sum && is_int(y, &v) && (x->op == RG_COP_ADD || x->op == RG_COP_SUB) && is_int(x->kid[1], &u)) {
        int64_t total = (x->op == RG_COP_ADD ? u : -u) + (add ? v : -v); /* x + 2 - 1 */
        return binary(b, total < 0 ? RG_COP_SUB : RG_COP_ADD, x->kid[0], integer(b, total < 0 ? -total : total));
    }
    if (sum && is_int(y, &v) && v < 0) return binary(b, add ? RG_COP_SUB : RG_COP_ADD, x, integer(b, -v));
    if (sum && y->op == RG_COP_NEG) return binary(b, add ? RG_COP_SUB : RG_COP_ADD, x, y->kid[0]);
    if (op == RG_COP_MUL && is_int(x, &u) && u == 1) return y;
    if (op == RG_COP_MUL && is_int(y, &v) && v == 1) return x;
    if (add && x->op == RG_COP_NEG) /* -a + b */
        return binary(b, RG_COP_SUB, y, x->kid[0]);
    struct rg_cnode *c = node(b, RG_C_BINARY, 2);
    c->op = op;
    c->kid[0] = x;
    c->kid[1] = y;
    if (rg_c_logic(op)) c->type = RG_I32;
    return c;
}

static struct rg_cnode *negated(struct building *b, struct rg_cnode *x)
{
    int64_t v;
    if (is_int(x, &v)) return integer(b, -v);
    if (x->op == RG_COP_NEG) return x->kid[0];
    if (x->op == RG_COP_SUB) return binary(b, RG_COP_SUB, x->kid[1], x->kid[0]);
    struct rg_cnode *c = node(b, RG_C_UNARY, 1);
    c->op = RG_COP_NEG;
    c->kid[0] = x;
    return c;
}

static struct rg_cnode *choice(struct building *b, struct rg_cnode *c, struct rg_cnode *x, struct rg_cnode *y)
{
    struct rg_cnode *k = node(b, RG_C_COND, 3);
    k->kid[0] = c;
    k->kid[1] = x;
    k->kid[2] = y;
    return k;
}

static struct rg_cnode *extreme(struct building *b, const char *which, struct rg_cnode *x, struct rg_cnode *y)
{
    struct rg_cnode *k = node(b, RG_C_CALL, 2);
    k->text = which;
    k->kid[0] = x;
    k->kid[1] = y;
    return k;
}

/* ---- expressions ---- */

static struct rg_cnode *expression(struct building *b, __isl_take isl_ast_expr *e);

static struct rg_cnode *named(struct building *b, __isl_take isl_id *id)
{
    const char *name = isl_id_get_name(id);
    struct rg_cnode *c = NULL;
    for (int i = b->depth - 1; i >= 0 && name && !c; i--)
        if (!strcmp(b->env[i].id, name)) c = b->env[i].value;
    for (int v = 0; v < b->t->n_vars && name && !c; v++)
        if (b->t->vars[v].kind == RG_CVAR_PARAM && !strcmp(b->t->vars[v].name, name))
            c = rg_scalar_is_signed(b->t->vars[v].type) ? variable(b, v)
                                                        : as_type(b, variable(b, v), signed_of(b->t->vars[v].type));
    isl_id_free(id);
    b->failed = b->failed || !c;
    return c ? c : integer(b, 0);
}

static struct rg_cnode *operation(struct building *b, isl_ast_expr *e)
{
    static const struct {
        enum isl_ast_expr_op_type type;
        enum rg_c_op op;
    } plain[] = {{isl_ast_expr_op_and, RG_COP_AND},    {isl_ast_expr_op_and_then, RG_COP_AND},
                 {isl_ast_expr_op_or, RG_COP_OR},      {isl_ast_expr_op_or_else, RG_COP_OR},
                 {isl_ast_expr_op_add, RG_COP_ADD},    {isl_ast_expr_op_sub, RG_COP_SUB},
                 {isl_ast_expr_op_mul, RG_COP_MUL},    {isl_ast_expr_op_div, RG_COP_DIV},
                 {isl_ast_expr_op_pdiv_q, RG_COP_DIV}, {isl_ast_expr_op_pdiv_r, RG_COP_REM},
                 {isl_ast_expr_op_zdiv_r, RG_COP_REM}, {isl_ast_expr_op_eq, RG_COP_EQ},
                 {isl_ast_expr_op_le, RG_COP_LE},      {isl_ast_expr_op_lt, RG_COP_LT},
                 {isl_ast_expr_op_ge, RG_COP_GE},      {isl_ast_expr_op_gt, RG_COP_GT}};
    enum isl_ast_expr_op_type type = isl_ast_expr_get_op_type(e);
    int n = (int)isl_ast_expr_get_op_n_arg(e);
    struct rg_cnode *arg[8];
    if (n < 1 || n > 8) {
        b->failed = true;
        return integer(b, 0);
    }
    for (int i = 0; i < n; i++) arg[i] = expression(b, isl_ast_expr_get_op_arg(e, i));
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i].type == type && n == 2) return binary(b, plain[i].op, arg[0], arg[1]);
    struct rg_cnode *c = arg[0];
    switch (type) {
    case isl_ast_expr_op_max:
    case isl_ast_expr_op_min:
        for (int i = 1; i < n; i++) c = extreme(b, type == isl_ast_expr_op_max ? "max" : "min", c, arg[i]);
        return c;
    case isl_ast_expr_op_minus:
        return negated(b, c);
    case isl_ast_expr_op_fdiv_q: { /* rounds down; C towards zero */
        int64_t d;
        if (!is_int(arg[1], &d) || d < 1) break;
        struct rg_cnode *below =
            negated(b, binary(b, RG_COP_DIV, binary(b, RG_COP_ADD, negated(b, c), integer(b, d - 1)), arg[1]));
        return choice(b, binary(b, RG_COP_GE, c, integer(b, 0)), binary(b, RG_COP_DIV, c, arg[1]), below);
    }
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
        if (n == 3) return choice(b, arg[0], arg[1], arg[2]);
        break;
    default:
        break;
    }
    b->failed = true;
    return integer(b, 0);
}

static struct rg_cnode *expression(struct building *b, __isl_take isl_ast_expr *e)
{
    struct rg_cnode *c = NULL;
    switch (isl_ast_expr_get_type(e)) {
    case isl_ast_expr_int: {
        isl_val *v = isl_ast_expr_get_val(e);
        c = integer(b, (int64_t)isl_val_get_num_si(v));
        isl_val_free(v);
        break;
    }
    case isl_ast_expr_id:
        c = named(b, isl_ast_expr_get_id(e));
        break;
    case isl_ast_expr_op:
        c = operation(b, e);
        break;
    default:
        b->failed = true;
    }
    isl_ast_expr_free(e);
    return c ? c : integer(b, 0);
}

/* ---- statements ---- */

struct renaming {
    int n, var[POLY_MAX_DEPTH];
    struct rg_cnode *value[POLY_MAX_DEPTH];
};

static struct rg_cnode *renamed(struct building *b, const struct rg_cnode *x, const struct renaming *r)
{
    if (!x) return NULL;
    if (x->kind == RG_C_VAR && x->array < 0)
        for (int i = 0; i < r->n; i++)
            if (r->var[i] == x->var) return r->value[i];
    struct rg_cnode *c = rg__c_shallow(b->a, x);
    bool changed = false;
    for (int i = 0; i < x->n; i++) {
        c->kid[i] = renamed(b, x->kid[i], r);
        changed = changed ||
                  (x->kid[i] && x->kid[i]->kind == RG_C_VAR && c->kid[i]->kind != RG_C_VAR && !c->kid[i]->value_of);
    }
    /* unsigned ones stay what they are: made anew, they would have the counters' type and not come round */
    bool sum = changed && rg_scalar_is_signed(x->type) && (x->op == RG_COP_ADD || x->op == RG_COP_SUB) &&
               c->kid[0]->type == c->kid[1]->type && !rg_scalar_is_real(x->type) && !x->pointer;
    return sum ? binary(b, x->op, c->kid[0], c->kid[1]) : c;
}

static int unit_of(const struct building *b, isl_ast_expr *call)
{
    isl_ast_expr *f = isl_ast_expr_get_op_arg(call, 0);
    isl_id *id = isl_ast_expr_get_id(f);
    int u = atoi(isl_id_get_name(id) + 1);
    isl_id_free(id);
    isl_ast_expr_free(f);
    return u >= 0 && u < b->nest->n_units ? u : -1;
}

static struct rg_cnode *user(struct building *b, isl_ast_node *n)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(n);
    int id = unit_of(b, call);
    struct rg_cnode *block = NULL;
    if (id >= 0) {
        const struct poly_unit *u = &b->nest->units[id];
        struct renaming r = {.n = u->depth};
        for (int d = 0; d < u->depth; d++) {
            r.var[d] = b->nest->scop->loops[u->loops[d]].var;
            r.value[d] = as_type(b, expression(b, isl_ast_expr_get_op_arg(call, d + 1)), b->t->vars[r.var[d]].type);
            if (r.value[d]->kind == RG_C_BINARY) { /* the printer may give it that variable's name */
                struct rg_cnode *own = rg_arena_alloc(b->a, sizeof *own);
                *own = *r.value[d];
                own->value_of = r.var[d] + 1;
                r.value[d] = own;
            }
        }
        block = node(b, RG_C_BLOCK, u->n_items);
        for (int i = 0; i < u->n_items; i++) block->kid[i] = renamed(b, u->item[i], &r);
    }
    isl_ast_expr_free(call);
    b->failed = b->failed || !block;
    return block;
}

/* ---- loops ---- */

struct use {
    const struct building *b;
    const char *id;
    bool taken[POLY_MAX_LOOPS]; /* [loop] its variable runs inside a piece below */
    int loop;                   /* whose value the iterator has in the first piece that says so; -1 */
};

static bool inner_var(const struct rg_cnode *x, int var)
{
    if (!x) return false;
    if (x->kind == RG_C_LOOP && x->var == var) return true;
    for (int i = 0; i < x->n; i++)
        if (inner_var(x->kid[i], var)) return true;
    return false;
}

static isl_bool look(isl_ast_node *n, void *arg)
{
    struct use *s = arg;
    if (isl_ast_node_get_type(n) != isl_ast_node_user) return isl_bool_true;
    isl_ast_expr *call = isl_ast_node_user_get_expr(n);
    int id = unit_of(s->b, call);
    for (int d = 0; id >= 0 && d < s->b->nest->units[id].depth && s->loop < 0; d++) {
        isl_ast_expr *e = isl_ast_expr_get_op_arg(call, d + 1);
        if (isl_ast_expr_get_type(e) == isl_ast_expr_id) {
            isl_id *name = isl_ast_expr_get_id(e);
            if (!strcmp(isl_id_get_name(name), s->id)) s->loop = s->b->nest->units[id].loops[d];
            isl_id_free(name);
        }
        isl_ast_expr_free(e);
    }
    isl_ast_expr_free(call);
    return isl_bool_true;
}

static bool name_taken(const struct building *b, const char *name)
{
    for (int v = 0; v < b->t->n_vars; v++)
        if (!strcmp(b->t->vars[v].name, name)) return true;
    for (int a = 0; a < b->t->n_arrays; a++)
        if (!strcmp(b->t->arrays[a].name, name)) return true;
    for (int h = 0; h < b->t->n_helpers; h++)
        if (!strcmp(b->t->helpers[h].name, name)) return true;
    return false;
}

/* like: the variable whose values it has, -1: a front's. */
static int new_var(struct building *b, int like)
{
    struct rg_cvar *vars = rg_arena_alloc(b->a, sizeof *vars * (size_t)(b->t->n_vars + 1));
    memcpy(vars, b->t->vars, sizeof *vars * (size_t)b->t->n_vars);
    const char *base = like >= 0 ? b->t->vars[like].name : "wave", *name = base;
    for (int i = 2; name_taken(b, name); i++) name = rg_arena_printf(b->a, "%s_%d", base, i);
    vars[b->t->n_vars] = (struct rg_cvar){.name = name,
                                          .wanted = name,
                                          .kind = RG_CVAR_ITER,
                                          .param = -1,
                                          .type = b->type,
                                          .struct_index = -1,
                                          .c_type = rg_scalar_c(b->type)};
    b->t->vars = vars;
    b->t->cap_vars = b->t->n_vars + 1;
    return b->t->n_vars++;
}

/* The variable of a loop of the user's whose values these are, where nothing around or below has it; else a new one. */
static int iterator(struct building *b, isl_ast_node *n, const char *id)
{
    struct use u = {.b = b, .id = id, .loop = -1};
    isl_ast_node_foreach_descendant_top_down(n, look, &u);
    if (u.loop < 0) return new_var(b, -1);
    int var = b->nest->scop->loops[u.loop].var;
    bool free_ = b->t->vars[var].type == b->type;
    for (int i = 0; i < b->depth; i++) free_ = free_ && b->env[i].var != var;
    for (int i = 0; i < b->nest->n_units; i++)
        for (int k = 0; k < b->nest->units[i].n_items; k++) free_ = free_ && !inner_var(b->nest->units[i].item[k], var);
    return free_ ? var : new_var(b, var);
}

static struct rg_cnode *tree(struct building *b, __isl_take isl_ast_node *n);

static struct rg_cnode *loop(struct building *b, isl_ast_node *n)
{
    isl_ast_expr *it = isl_ast_node_for_get_iterator(n);
    isl_id *id = isl_ast_expr_get_id(it);
    const char *name = rg_arena_strdup(b->a, isl_id_get_name(id));
    struct rg_cnode *init = expression(b, isl_ast_node_for_get_init(n)), *c = NULL;
    isl_id_free(id);
    isl_ast_expr_free(it);
    if (b->depth == MAX_ITERATORS) {
        b->failed = true;
        return NULL;
    }
    b->env[b->depth].id = name;
    b->env[b->depth].var = -1;
    b->env[b->depth].value = init;
    if (isl_ast_node_for_is_degenerate(n) == isl_bool_true) {
        b->depth++;
        c = tree(b, isl_ast_node_for_get_body(n));
        b->depth--;
        return c;
    }
    isl_ast_expr *cond = isl_ast_node_for_get_cond(n);
    struct rg_cnode *step = expression(b, isl_ast_node_for_get_inc(n));
    enum isl_ast_expr_op_type op =
        isl_ast_expr_get_type(cond) == isl_ast_expr_op ? isl_ast_expr_get_op_type(cond) : isl_ast_expr_op_error;
    int64_t by;
    if ((op != isl_ast_expr_op_le && op != isl_ast_expr_op_lt) || !is_int(step, &by) || by < 1) {
        isl_ast_expr_free(cond);
        b->failed = true;
        return NULL;
    }
    struct rg_cnode *end = expression(b, isl_ast_expr_get_op_arg(cond, 1));
    isl_ast_expr_free(cond);
    c = node(b, RG_C_LOOP, 3);
    int named = b->t->n_vars;
    c->var = b->env[b->depth].var = iterator(b, n, name);
    if (c->var >= named && !strncmp(b->t->vars[c->var].name, "wave", 4))
        c->made = "wavefront: one front after another, the points of each at once";
    else if (!b->loops)
        c->made = "wavefront: in the order of the dependences, not of the file";
    b->loops++;
    c->step = by;
    c->kid[0] = init;
    c->kid[1] = op == isl_ast_expr_op_le ? binary(b, RG_COP_ADD, end, integer(b, 1)) : end;
    b->env[b->depth].value = variable(b, c->var);
    b->depth++;
    c->kid[2] = tree(b, isl_ast_node_for_get_body(n));
    b->depth--;
    return c;
}

static struct rg_cnode *tree(struct building *b, __isl_take isl_ast_node *n)
{
    struct rg_cnode *c = NULL;
    switch (isl_ast_node_get_type(n)) {
    case isl_ast_node_for:
        c = loop(b, n);
        break;
    case isl_ast_node_if: {
        bool other = isl_ast_node_if_has_else_node(n) == isl_bool_true;
        c = node(b, RG_C_IF, other ? 3 : 2);
        c->kid[0] = expression(b, isl_ast_node_if_get_cond(n));
        c->kid[1] = tree(b, isl_ast_node_if_get_then_node(n));
        if (other) c->kid[2] = tree(b, isl_ast_node_if_get_else_node(n));
        break;
    }
    case isl_ast_node_block: {
        isl_ast_node_list *l = isl_ast_node_block_get_children(n);
        int k = (int)isl_ast_node_list_n_ast_node(l);
        c = node(b, RG_C_BLOCK, k > 0 ? k : 0);
        for (int i = 0; i < k; i++) c->kid[i] = tree(b, isl_ast_node_list_get_ast_node(l, i));
        isl_ast_node_list_free(l);
        break;
    }
    case isl_ast_node_mark:
        c = tree(b, isl_ast_node_mark_get_node(n));
        break;
    case isl_ast_node_user:
        c = user(b, n);
        break;
    default:
        b->failed = true;
    }
    isl_ast_node_free(n);
    b->failed = b->failed || !c;
    return c;
}

struct rg_cnode *rg__poly_nest_tree(struct poly_nest *nest, __isl_take isl_schedule *order, struct rg_ctree *t)
{
    struct poly_scop *s = nest->scop;
    struct building b = {.nest = nest, .a = nest->arena, .t = t, .at = s->loops[nest->loop].node, .type = RG_I32};
    for (int i = 0; i < nest->n_units; i++)
        for (int d = 0; d < nest->units[i].depth; d++) {
            enum rg_scalar type = s->tree->vars[s->loops[nest->units[i].loops[d]].var].type;
            b.type = rg_scalar_bytes(type) > 4 ? signed_of(type) : b.type;
        }
    isl_options_set_ast_build_atomic_upper_bound(s->ctx, 1);
    isl_id_list *ids = isl_id_list_alloc(s->ctx, MAX_ITERATORS);
    for (int i = 0; i < MAX_ITERATORS; i++) {
        char name[24];
        snprintf(name, sizeof name, "rg$%d", i); /* no C name */
        ids = isl_id_list_add(ids, isl_id_alloc(s->ctx, name, NULL));
    }
    isl_ast_build *build = isl_ast_build_set_iterators(isl_ast_build_alloc(s->ctx), ids);
    isl_ast_node *n = isl_ast_build_node_from_schedule(build, order);
    isl_ast_build_free(build);
    if (!n || !rg__poly_isl_ok(s)) {
        isl_ast_node_free(n);
        return NULL;
    }
    struct rg_cnode *c = tree(&b, n);
    return b.failed ? NULL : c;
}
