/* Loops' bounds in kernel IR: the loops of threads, and the box around a kernel's dimensions. */
#include "poly/kernel/thread_code.h"

static bool is_unsigned(enum rg_scalar t)
{
    return !rg_scalar_is_signed(t) && rg_scalar_bytes(t) >= 4;
}

static enum rg_scalar index_type(const struct poly_scop *s, const struct poly_loop *l)
{
    enum rg_scalar t = s->tree->vars[l->var].type;
    return rg_scalar_bytes(t) < 4 ? RG_I32 : t;
}

struct kir_node *rg__poly_kir_linear(struct kir_names *names, const struct poly_linear *l)
{
    struct kir_kernel *k = names->k;
    struct kir_node *sum = NULL;
    for (int i = 0; i < 2 * l->n; i++) { /* what is added first, then what is taken away */
        int v = l->term[i % l->n].var;
        int64_t f = l->term[i % l->n].c;
        bool less = i >= l->n;
        if (less != (f < 0)) continue;
        struct rg_cnode var = {.kind = RG_C_VAR, .type = names->t->vars[v].type, .var = v, .array = -1};
        struct kir_node *x = rg__kir_of(names, &var);
        if (!x) return NULL;
        x = rg__kir_mul(k, rg__kir_cast(k, RG_LLONG, x), rg__kir_int(k, sum && less ? -f : f));
        sum = !sum ? x : rg__kir_binary(k, less ? RG_COP_SUB : RG_COP_ADD, sum, x);
    }
    bool less = sum && l->k < 0 && l->k > INT64_MIN;
    struct kir_node *c = rg__kir_cast(k, RG_LLONG, rg__kir_int(k, less ? -l->k : l->k));
    return sum ? rg__kir_binary(k, less ? RG_COP_SUB : RG_COP_ADD, sum, c) : c;
}

struct kir_node *rg__poly_kir_end(const struct poly_scop *s, struct kir_names *names, const struct poly_loop *l)
{
    struct kir_kernel *k = names->k;
    enum rg_scalar type = index_type(s, l);
    if (!is_unsigned(type) || !l->upper.ok || l->step < 0) return rg__kir_of(names, l->node->kid[1]);
    struct kir_node *end = rg__poly_kir_linear(names, &l->upper);
    int64_t v;
    if (!end) return NULL;
    bool plain = l->upper.n == 1 && l->upper.term[0].c == 1 && !l->upper.k &&
                 is_unsigned(s->tree->vars[l->upper.term[0].var].type);
    if (plain || (rg__kir_number(k, end, &v) && v >= 0))
        return rg__kir_cast(k, type, rg__kir_of(names, l->node->kid[1]));
    return rg__kir_cast(k, type, rg__kir_max(k, end, rg__kir_int(k, 0)));
}

struct kir_node *rg__poly_kir_count(const struct poly_scop *s, struct kir_names *names, const struct poly_loop *l)
{
    struct kir_kernel *k = names->k;
    int64_t step = l->step > 0 ? l->step : -l->step;
    struct kir_node *first = rg__kir_of(names, l->node->kid[0]), *end = !first ? NULL
                                                                        : is_unsigned(index_type(s, l)) && l->upper.ok
                                                                            ? rg__poly_kir_linear(names, &l->upper)
                                                                            : rg__kir_of(names, l->node->kid[1]);
    if (!end) return NULL;
    bool wide = !rg_scalar_is_signed(first->type) || !rg_scalar_is_signed(end->type);
    if (wide) {
        first = rg__kir_cast(k, RG_LLONG, first);
        end = rg__kir_cast(k, RG_LLONG, end);
    }
    return rg__kir_ceil_div(k, l->step > 0 ? rg__kir_sub(k, end, first) : rg__kir_sub(k, first, end), step);
}

struct kir_node *rg__poly_kir_loop(const struct poly_scop *s, struct kir_names *names, const struct poly_loop *l,
                                   struct kir_node *place, struct kir_node *stride, int64_t unroll,
                                   struct kir_node **body)
{
    struct kir_kernel *k = names->k;
    enum rg_scalar type = index_type(s, l), by_type = type == RG_I32 && stride->type == RG_U32 ? RG_U32 : type;
    enum kir_loop kind = unroll > 1 ? KIR_UNROLLED : KIR_SERIAL;
    struct kir_node *first = rg__kir_of(names, l->node->kid[0]), *end, *loop;
    if (!first) return NULL;
    int64_t by, one = l->step > 0 ? l->step : -l->step;
    bool known = rg__kir_number(k, stride, &by) && !__builtin_mul_overflow(by, one, &by);
    if (l->step > 0 || (known && !is_unsigned(type))) {
        int index = rg__kir_symbol_of(names, KIR_INDEX, l->var, type);
        struct kir_node *far = rg__kir_mul(k, rg__kir_cast(k, type, place), rg__kir_int(k, one));
        if (!(end = rg__poly_kir_end(s, names, l))) return NULL;
        /* 64 bits where the variable has them: places are of 32 */
        loop =
            rg__kir_for_range(k, kind, index, rg__kir_binary(k, l->step > 0 ? RG_COP_ADD : RG_COP_SUB, first, far), end,
                              l->step > 0 ? rg__kir_mul(k, rg__kir_cast(k, by_type, stride),
                                                        rg__kir_cast(k, by_type, rg__kir_int(k, one)))
                                          : rg__kir_int(k, -by));
        rg__kir_bind(names, l->var, rg__kir_name(k, index));
        *body = rg__kir_body(loop);
    } else { /* counted up: a stride of the grid is no number, an unsigned counter does not pass 0 */
        int at = rg__kir_index(k, "at", rg_scalar_bytes(type) > 4 || is_unsigned(type) ? RG_LLONG : RG_I32),
            var = rg__kir_symbol_of(names, KIR_VALUE, l->var, type);
        if (!(end = rg__poly_kir_count(s, names, l))) return NULL;
        loop = rg__kir_for_range(k, kind, at, place, end, stride);
        struct kir_node *down = rg__kir_mul(k, rg__kir_name(k, at), rg__kir_int(k, -l->step));
        *body = rg__kir_body(loop);
        rg__kir_add_to(k, *body, rg__kir_let(k, var, rg__kir_sub(k, first, rg__kir_cast(k, type, down))));
        rg__kir_bind(names, l->var, rg__kir_name(k, var));
    }
    loop->ivalue = unroll > 1 ? unroll : 0;
    loop->line = l->node->line;
    return loop;
}

/* ---- the box around the dimensions: interval arithmetic over their bounds ---- */

struct box {
    const struct poly_program *p;
    const struct poly_kernel *k;
    struct kir_names *names;
    enum rg_scalar type; /* in which it is computed */
    bool hosts;          /* the loops around the launch are dimensions, too */
};

static struct kir_node *extreme(const struct box *b, const struct rg_cnode *e, bool most);

static int n_dims(const struct box *b)
{
    return b->k->n_dims + (b->hosts ? b->k->n_host : 0);
}

static int dim(const struct box *b, int d)
{
    return d < b->k->n_dims ? b->k->dims[d] : b->k->host[d - b->k->n_dims];
}

static int dim_of(const struct box *b, int var)
{
    for (int d = 0; d < n_dims(b); d++)
        if (b->p->scop->loops[dim(b, d)].var == var) return dim(b, d);
    return -1;
}

static bool mentions_dim(const struct box *b, const struct rg_cnode *e)
{
    for (int d = 0; d < n_dims(b); d++)
        if (rg__poly_mentions_loop(b->p->scop, e, dim(b, d))) return true;
    return false;
}

static struct kir_node *dim_extreme(const struct box *b, int loop, bool most)
{
    const struct poly_loop *l = &b->p->scop->loops[loop];
    struct kir_kernel *k = b->names->k;
    bool up = l->step > 0;
    if (most != up) return extreme(b, l->node->kid[0], most);
    struct kir_node *end = extreme(b, l->node->kid[1], most);
    return end ? rg__kir_binary(k, up ? RG_COP_SUB : RG_COP_ADD, end, rg__kir_int(k, 1)) : NULL;
}

static struct kir_node *binary_extreme(const struct box *b, const struct rg_cnode *e, bool most)
{
    struct kir_kernel *k = b->names->k;
    const struct rg_ctree *t = b->p->scop->tree;
    struct poly_linear l = rg__poly_linear_of(t, e->kid[0]), r = rg__poly_linear_of(t, e->kid[1]);
    int64_t left = 1, right = 1;
    bool by_right = rg__poly_linear_const(&r, &right), by_left = !by_right && rg__poly_linear_const(&l, &left);
    struct kir_node *x, *y;
    switch (e->op) {
    case RG_COP_ADD:
    case RG_COP_SUB:
        x = extreme(b, e->kid[0], most);
        y = x ? extreme(b, e->kid[1], e->op == RG_COP_ADD ? most : !most) : NULL;
        return y ? rg__kir_binary(k, e->op, x, y) : NULL;
    case RG_COP_MUL:
        if (!by_right && !by_left) return NULL;
        x = extreme(b, e->kid[by_left], (by_right ? right : left) < 0 ? !most : most);
        return x ? rg__kir_mul(k, x, rg__kir_int(k, by_right ? right : left)) : NULL;
    case RG_COP_DIV:
        x = by_right && right > 0 ? extreme(b, e->kid[0], most) : NULL;
        return x ? rg__kir_div(k, x, rg__kir_int(k, right)) : NULL;
    case RG_COP_REM:
        return by_right && right > 0 ? rg__kir_int(k, most ? right - 1 : 0) : NULL;
    default: /* a truth value */
        return rg_c_logic(e->op) ? rg__kir_int(k, most) : NULL;
    }
}

static struct kir_node *extreme(const struct box *b, const struct rg_cnode *e, bool most)
{
    struct kir_kernel *k = b->names->k;
    struct kir_node *x = NULL, *y = NULL;
    if (!mentions_dim(b, e)) {
        x = rg__kir_of(b->names, e);
        return x && !rg_scalar_is_real(x->type) ? rg__kir_cast(k, b->type, x) : NULL;
    }
    switch (e->kind) {
    case RG_C_VAR:
        return dim_extreme(b, dim_of(b, e->var), most);
    case RG_C_CAST:
        return extreme(b, e->kid[0], most);
    case RG_C_UNARY:
        if (e->op == RG_COP_NOT) return rg__kir_int(k, most);
        x = e->op == RG_COP_NEG ? extreme(b, e->kid[0], !most) : e->op == RG_COP_POS ? extreme(b, e->kid[0], most) : x;
        return x && e->op == RG_COP_NEG ? rg__kir_unary(k, RG_COP_NEG, x) : x;
    case RG_C_CALL:
        if (e->callee >= 0 || e->n != 2) return NULL;
        x = extreme(b, e->kid[0], most);
        y = x ? extreme(b, e->kid[1], most) : NULL;
        return !y ? NULL : e->text[1] == 'a' ? rg__kir_max(k, x, y) : rg__kir_min(k, x, y);
    case RG_C_COND: /* either arm */
        x = extreme(b, e->kid[1], most);
        y = x ? extreme(b, e->kid[2], most) : NULL;
        return !y ? NULL : most ? rg__kir_max(k, x, y) : rg__kir_min(k, x, y);
    case RG_C_BINARY:
        return binary_extreme(b, e, most);
    default:
        return NULL;
    }
}

static struct kir_node *most(const struct box *b, const struct poly_loop *l)
{
    struct kir_kernel *k = b->names->k;
    bool up = l->step > 0;
    if (l->constant) return rg__kir_cast(k, b->type, rg__kir_int(k, l->trip));
    if (l->lower.ok && l->upper.ok && !mentions_dim(b, l->node->kid[0]) && !mentions_dim(b, l->node->kid[1])) {
        struct poly_linear n = up ? l->upper : l->lower;
        rg__poly_linear_add(&n, up ? &l->lower : &l->upper, -1);
        struct kir_node *count = n.ok ? rg__poly_kir_linear(b->names, &n) : NULL;
        if (count) return rg__kir_cast(k, b->type, rg__kir_ceil_div(k, count, up ? l->step : -l->step));
    }
    struct kir_node *from = extreme(b, l->node->kid[0], !up), *to = from ? extreme(b, l->node->kid[1], up) : NULL;
    if (!to) return NULL;
    return rg__kir_ceil_div(k, up ? rg__kir_sub(k, to, from) : rg__kir_sub(k, from, to), up ? l->step : -l->step);
}

struct kir_node *rg__poly_kir_most(const struct poly_program *p, const struct poly_kernel *kernel,
                                   struct kir_names *names, int dim, enum rg_scalar type)
{
    struct box b = {p, kernel, names, type, false};
    return most(&b, &p->scop->loops[kernel->dims[dim]]);
}

struct kir_node *rg__poly_kir_most_of(const struct poly_program *p, const struct poly_kernel *kernel,
                                      struct kir_names *names, int loop, enum rg_scalar type)
{
    struct box b = {p, kernel, names, type, false};
    return most(&b, &p->scop->loops[loop]);
}

struct kir_node *rg__poly_kir_most_ever(const struct poly_program *p, const struct poly_kernel *kernel,
                                        struct kir_names *names, int dim, enum rg_scalar type)
{
    struct box b = {p, kernel, names, type, true};
    return most(&b, &p->scop->loops[kernel->dims[dim]]);
}

bool rg__poly_timed_points(const struct poly_program *p, const struct poly_kernel *kernel, double *points)
{
    const struct rg_problem *prob = p->scop->problem;
    const struct rg_ctree *t = p->scop->tree;
    struct rg_problem_env env;
    struct rg_arena a = {0};
    struct kir_names *names = rg__kir_names_new(rg__kir_kernel_new(&a, t, prob->function), t);
    struct box b = {p, kernel, names, RG_LLONG, true};
    bool known = prob->n_sizes > 0;
    int64_t n;
    if (known) rg_problem_env_init(&env, prob, &prob->sizes[0]);
    for (int v = 0; v < t->n_vars && known; v++)
        if (t->vars[v].kind == RG_CVAR_PARAM && env.env.name(&env, prob->params[t->vars[v].param].name, &n))
            rg__kir_bind(names, v, rg__kir_cast(names->k, t->vars[v].type, rg__kir_int(names->k, n)));
    *points = 1;
    for (int d = 0; d < kernel->n_dims && known; d++) {
        const struct kir_node *count = most(&b, &p->scop->loops[kernel->dims[d]]);
        known = count && rg__kir_number(names->k, count, &n);
        *points *= known && n > 1 ? (double)n : 1;
    }
    rg_arena_release(&a);
    return known;
}

bool rg__poly_kir_value(struct kir_kernel *k, const struct kir_node *n, struct rg_problem_env *env, int64_t *v)
{
    const struct kir_symbol *s = n->symbol >= 0 ? &k->symbols[n->symbol] : NULL;
    int64_t x[3] = {0};
    if (rg__kir_number(k, n, v)) return true;
    if (n->kind == KIR_NAME) return env && s->kind == KIR_PARAM && env->env.name(env, s->pass ? s->pass : s->name, v);
    for (int i = 0; i < n->n; i++)
        if (i == 3 || !rg__poly_kir_value(k, n->kid[i], env, &x[i])) return false;
    switch (n->kind) {
    case KIR_CAST:
        *v = x[0];
        return true;
    case KIR_MIN:
    case KIR_MAX:
        *v = (n->kind == KIR_MIN) == (x[0] < x[1]) ? x[0] : x[1];
        return true;
    case KIR_SELECT:
        *v = x[0] ? x[1] : x[2];
        return true;
    case KIR_UNARY:
        return n->op == RG_COP_NEG && !__builtin_sub_overflow(0, x[0], v);
    case KIR_BINARY: {
        struct kir_node *known = rg__kir_binary(k, n->op, rg__kir_cast(k, RG_LLONG, rg__kir_int(k, x[0])),
                                                rg__kir_cast(k, RG_LLONG, rg__kir_int(k, x[1])));
        return rg__kir_number(k, known, v);
    }
    default:
        return false;
    }
}

static bool leans(const struct poly_program *p, const struct poly_kernel *kernel, int dim)
{
    struct box b = {p, kernel, NULL, RG_LLONG, false};
    return mentions_dim(&b, p->scop->loops[kernel->dims[dim]].node->kid[0]);
}

bool rg__poly_starts_exactly(const struct poly_program *p, const struct poly_kernel *kernel, int dim)
{
    int64_t step = p->scop->loops[kernel->dims[dim]].step;
    return !leans(p, kernel, dim) || (step != 1 && step != -1);
}

struct kir_node *rg__poly_kir_first(const struct poly_program *p, const struct poly_kernel *kernel,
                                    struct kir_names *names, int dim)
{
    const struct poly_loop *l = &p->scop->loops[kernel->dims[dim]];
    enum rg_scalar type = index_type(p->scop, l);
    struct box b = {p, kernel, names, rg_scalar_bytes(type) > 4 || is_unsigned(type) ? RG_LLONG : RG_I32, false};
    if (rg__poly_starts_exactly(p, kernel, dim)) return rg__kir_of(names, l->node->kid[0]);
    return extreme(&b, l->node->kid[0], l->step < 0);
}
