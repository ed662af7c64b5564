/* Interprets a checked plan over a struct of functions. */
#include "runtime/plan/plan_internal.h"
#include <rg/buf.h>
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENT_BYTES_LOG2 = 50 };
static const int64_t MAX_ITERATIONS = (int64_t)1 << 31;

struct slot { /* memory */
    int handle;
    enum rg_scalar elem;
    int struct_index;
    int64_t elements, elem_bytes;
};

struct variable {
    const char *name;
    int64_t value;
};

struct runner {
    const struct rg_plan *plan;
    const struct rg_problem *problem;
    const struct rg_kernel_sig *sigs;
    const struct rg_plan_ops *ops;
    struct rg_problem_env sizes;
    struct rg_expr_env env;
    struct rg_error *err;
    int n_slots;
    struct slot *slots; /* parameters by index, scratch in order, then spares */
    const char **names; /* of the first n_named slots */
    int n_named;
    int *binding;       /* name -> slot */
    int *group, *spare; /* by parameter: what swap may exchange, and the spare slot of its group (-1) */
    int n_variables;
    struct variable variables[RG__PLAN_MAX_NAMES];
    int64_t launches, max_launches, iterations, max_iterations;
    int64_t resident; /* blocks that fit the device at once, of the launch whose grid is computed; 0: of none */
    bool leaving;     /* a `break` was met: the innermost loop ends */
    struct rg_plan_value values[RG__PLAN_MAX_ARGS];
};

static enum rg_status fail(struct runner *r, enum rg_status status, int line, int column, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static enum rg_status fail(struct runner *r, enum rg_status status, int line, int column, const char *fmt, ...)
{
    struct rg_buf text = RG_BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    rg_error_at(r->err, status, RG__PLAN_FILE, line, column, "%s", text.data);
    rg_buf_release(&text);
    return status;
}

static int name_index(const struct runner *r, const char *name)
{
    for (int i = 0; i < r->n_named; i++)
        if (!strcmp(r->names[i], name)) return i;
    return -1;
}

static struct slot *slot_of(struct runner *r, const char *name)
{
    int i = name_index(r, name);
    return i < 0 || r->binding[i] < 0 ? NULL : &r->slots[r->binding[i]];
}

static int lookup(void *arg, const char *name, int64_t *value)
{
    struct runner *r = arg;
    for (int i = r->n_variables - 1; i >= 0; i--)
        if (!strcmp(r->variables[i].name, name)) {
            *value = r->variables[i].value;
            return 1;
        }
    const struct rg_expr_env *sizes = &r->sizes.env;
    if ((sizes->name && sizes->name(sizes->arg, name, value)) || rg__plan_constant(name, value)) return 1;
    *value = r->resident;
    return r->resident && !strcmp(name, RG__PLAN_RESIDENT);
}

/* The buffer and element that x[i] or read(x, i) names. */
static enum rg_status element(struct runner *r, const struct rg_expr *e, const struct slot **slot, int64_t *i,
                              struct rg_error *err)
{
    const char *name = e->name;
    const struct rg_expr *index = e->kind == RG_EXPR_INDEX ? e->args[0] : NULL;
    if (e->kind == RG_EXPR_CALL && !strcmp(name, "read") && e->n_args == 2 && e->args[0]->kind == RG_EXPR_NAME) {
        name = e->args[0]->name;
        index = e->args[1];
    }
    *slot = index ? slot_of(r, name) : NULL;
    if (!*slot) return rg_error_set(err, RG_INPUT, "unknown function or buffer '%.100s'", name);
    enum rg_status s = rg_expr_eval(index, &r->env, i, err);
    if (s == RG_OK && (*i < 0 || *i >= (*slot)->elements))
        s = rg_error_set(err, RG_INPUT, "element %lld of '%.100s', which has %lld", (long long)*i, name,
                         (long long)(*slot)->elements);
    return s;
}

static enum rg_status call(void *arg, const struct rg_expr *e, const struct rg_expr_env *env, int64_t *value,
                           struct rg_error *err)
{
    struct runner *r = arg;
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "sizeof") && e->n_args == 1) {
        int i = rg__find_struct(r->problem, e->args[0]->name);
        if (i < 0) return rg_error_set(err, RG_INPUT, "sizeof: unknown type '%.100s'", e->args[0]->name);
        *value = r->problem->structs[i].bytes;
        return RG_OK;
    }
    const struct slot *s;
    int64_t i = 0;
    enum rg_status st = element(r, e, &s, &i, err);
    if (st != RG_OK) return st;
    if (!r->ops->read) return rg_error_set(err, RG_INPUT, "elements can't be read here");
    return r->ops->read(r->ops->arg, s->handle, i, s->elem, value, err);
}

static bool holds_real(void *arg, const char *name, bool element)
{
    struct runner *r = arg;
    const struct slot *s = element ? slot_of(r, name) : NULL;
    if (element) return s && rg_scalar_is_real(s->elem);
    int i = rg_problem_param(r->problem, name);
    return i >= 0 && r->problem->params[i].kind == RG_PARAM_SCALAR && rg_scalar_is_real(r->problem->params[i].elem);
}

static enum rg_status real_value(void *arg, const struct rg_expr *e, double *out, struct rg_error *err)
{
    struct runner *r = arg;
    if (e->kind == RG_EXPR_NAME) {
        if (!r->ops->scalar) return rg_error_set(err, RG_INPUT, "the value of '%.100s' is not known here", e->name);
        return r->ops->scalar(r->ops->arg, rg_problem_param(r->problem, e->name), out, err);
    }
    const struct slot *s;
    int64_t i = 0;
    enum rg_status st = element(r, e, &s, &i, err);
    if (st != RG_OK) return st;
    if (!r->ops->read_real) return rg_error_set(err, RG_INPUT, "elements can't be read here");
    return r->ops->read_real(r->ops->arg, s->handle, i, s->elem, out, err);
}

static enum rg_status place(struct runner *r, enum rg_status st, const struct rg_expr *e, const struct rg_error *own)
{
    return st == RG_OK ? RG_OK : fail(r, st, e->line, e->column, "%s", own->text);
}

static enum rg_status eval(struct runner *r, const struct rg_expr *e, int64_t *out)
{
    struct rg_error own = RG_ERROR_INIT;
    const struct rg__reals reals = {r, holds_real, real_value};
    return place(r, rg__plan_truth(e, &reals, &r->env, out, &own), e, &own);
}

static enum rg_status eval_or(struct runner *r, const struct rg_expr *e, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    return e ? eval(r, e, out) : RG_OK;
}

/* An operation's own error keeps its words and gets the statement's place. */
static enum rg_status operated(struct runner *r, enum rg_status st, const struct rg_plan_stmt *s)
{
    if (st != RG_OK && r->err && r->err->status != RG_OK && !r->err->file[0]) {
        memcpy(r->err->file, RG__PLAN_FILE, sizeof RG__PLAN_FILE);
        r->err->line = s->line;
        r->err->column = s->column;
    }
    return st;
}

static enum rg_status run_body(struct runner *r, int n, struct rg_plan_stmt *const *items);

static enum rg_status assign(struct runner *r, const struct rg_plan_stmt *s)
{
    int64_t v = 0;
    enum rg_status st = eval(r, s->value, &v);
    if (st != RG_OK) return st;
    if (s->declares) {
        if (r->n_variables == RG__PLAN_MAX_NAMES) return fail(r, RG_INPUT, s->line, s->column, "too many variables");
        r->variables[r->n_variables++] = (struct variable){s->a, v};
        return RG_OK;
    }
    for (int i = r->n_variables - 1; i >= 0; i--)
        if (!strcmp(r->variables[i].name, s->a)) {
            r->variables[i].value = v;
            return RG_OK;
        }
    return fail(r, RG_INPUT, s->line, s->column, "unknown variable '%.100s'", s->a);
}

static enum rg_status argument(struct runner *r, const struct rg_plan_stmt *s, int i, struct rg_plan_value *v)
{
    const struct rg_plan_arg *arg = &s->args[i];
    enum rg_status st;
    *v = (struct rg_plan_value){.kind = arg->kind, .buffer = -1, .param = -1};
    if (r->sigs && i < r->sigs[s->kernel_index].n_params) v->type = r->sigs[s->kernel_index].params[i];
    switch (arg->kind) {
    case RG_ARG_BUFFER: {
        const struct slot *b = slot_of(r, arg->name);
        if (!b) return fail(r, RG_INPUT, arg->line, arg->column, "unknown buffer '%.100s'", arg->name);
        if ((st = eval_or(r, arg->offset, 0, &v->offset)) != RG_OK) return st;
        if (v->offset < 0 || v->offset >= b->elements)
            return fail(r, RG_INPUT, arg->line, arg->column,
                        "offset %lld is outside of '%.100s', which has %lld elements", (long long)v->offset, arg->name,
                        (long long)b->elements);
        v->buffer = b->handle;
        return RG_OK;
    }
    case RG_ARG_SCALAR:
        v->param = rg_problem_param(r->problem, arg->name);
        return v->param >= 0 ? RG_OK
                             : fail(r, RG_INPUT, arg->line, arg->column, "unknown parameter '%.100s'", arg->name);
    case RG_ARG_REAL: {
        struct rg_error own = RG_ERROR_INIT;
        return place(r, rg__plan_eval_real(arg->value, &r->env, &v->real, &own), arg->value, &own);
    }
    case RG_ARG_INT:
        break;
    }
    if ((st = eval(r, arg->value, &v->offset)) != RG_OK || !r->sigs) return st;
    if (v->type.type == RG_STRUCT) v->type.type = RG_I32; /* an enumeration, as the check made sure */
    if (rg_scalar_is_real(v->type.type)) {
        v->kind = RG_ARG_REAL;
        v->real = (double)v->offset;
    } else if (!rg__fits(v->type.type, v->offset)) {
        return fail(r, RG_INPUT, arg->line, arg->column, "argument %d of '%.100s': %lld does not fit into %s", i + 1,
                    s->kernel, (long long)v->offset, rg_scalar_cuda(v->type.type));
    }
    return RG_OK;
}

static enum rg_status shape(struct runner *r, const struct rg_plan_stmt *s, const char *what,
                            const struct rg_expr *const e[3], const int64_t limits[3], int64_t out[3])
{
    for (int i = 0; i < 3; i++) {
        enum rg_status st = eval_or(r, e[i], 1, &out[i]);
        if (st != RG_OK) return st;
        if (out[i] >= 1 && out[i] <= limits[i]) continue;
        int line = e[i]->line, column = e[i]->column;
        if (!out[i])
            return fail(r, RG_INPUT, line, column,
                        "the %s of '%.100s' is 0 in %c: round up with ceil_div, or launch it "
                        "under an `if`",
                        what, s->kernel, 'x' + i);
        return fail(r, RG_INPUT, line, column, "the %s of '%.100s' is %lld in %c, allowed are 1 to %lld", what,
                    s->kernel, (long long)out[i], 'x' + i, (long long)limits[i]);
    }
    return RG_OK;
}

static void asks_resident(void *arg, const char *name)
{
    bool *asks = arg;
    *asks |= !strcmp(name, RG__PLAN_RESIDENT);
}

static enum rg_status geometry(struct runner *r, const struct rg_plan_stmt *s, struct rg_plan_launch *l)
{
    static const int64_t grid[3] = {INT32_MAX, 65535, 65535}, block[3] = {1024, 1024, 64}, cluster[3] = {16, 16, 16};
    enum rg_status st;
    if ((st = shape(r, s, "block", s->block, block, l->block)) != RG_OK) return st;
    int64_t threads = l->block[0] * l->block[1] * l->block[2];
    if (threads > 1024)
        return fail(r, RG_INPUT, s->line, s->column, "a block of '%.100s' has %lld threads, at most 1024 are allowed",
                    s->kernel, (long long)threads);
    if ((st = eval_or(r, s->shared_bytes, 0, &l->shared_bytes)) != RG_OK) return st;
    if (l->shared_bytes < 0 || l->shared_bytes > INT32_MAX)
        return fail(r, RG_INPUT, s->shared_bytes->line, s->shared_bytes->column,
                    "%lld bytes of shared memory for '%.100s'", (long long)l->shared_bytes, s->kernel);
    bool asks = false;
    for (int i = 0; i < 3 && s->grid[i]; i++) rg_expr_names(s->grid[i], asks_resident, &asks);
    if (asks) {
        r->resident = 1;
        if (r->ops->resident && (st = operated(r, r->ops->resident(r->ops->arg, l, &r->resident, r->err), s)) != RG_OK)
            return st;
        if (r->resident < 1) r->resident = 1; /* the launch will say that it does not fit */
    }
    st = shape(r, s, "grid", s->grid, grid, l->grid);
    r->resident = 0;
    if (st != RG_OK) return st;
    if (!s->cluster[0]) return RG_OK; /* all zero: none */
    if ((st = shape(r, s, "cluster", s->cluster, cluster, l->cluster)) != RG_OK) return st;
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > 16)
        return fail(r, RG_INPUT, s->line, s->column, "a cluster of '%.100s' has more than 16 blocks", s->kernel);
    for (int i = 0; i < 3; i++)
        if (l->grid[i] % l->cluster[i])
            return fail(r, RG_INPUT, s->line, s->column, "the grid of '%.100s' is no multiple of its cluster in %c",
                        s->kernel, 'x' + i);
    return RG_OK;
}

static enum rg_status launch(struct runner *r, const struct rg_plan_stmt *s)
{
    struct rg_plan_launch l = {
        .kernel = s->kernel_index, .cooperative = s->cooperative, .n_args = s->n_args, .args = r->values, .stmt = s};
    enum rg_status st = geometry(r, s, &l);
    for (int i = 0; i < s->n_args && st == RG_OK; i++) st = argument(r, s, i, &r->values[i]);
    if (st != RG_OK) return st;
    if (++r->launches > r->max_launches)
        return fail(r, RG_LIMIT, s->line, s->column, "more than %lld launches", (long long)r->max_launches);
    return operated(r, r->ops->launch(r->ops->arg, &l, r->err), s);
}

static enum rg_scalar signed_twin(enum rg_scalar s)
{
    switch (rg_scalar_bytes(s)) {
    case 1:
        return RG_I8;
    case 2:
        return RG_I16;
    case 4:
        return RG_I32;
    default:
        return RG_LONG;
    }
}

static enum rg_status fill(struct runner *r, const struct rg_plan_stmt *s)
{
    const struct slot *b = slot_of(r, s->a);
    int64_t value = 0;
    double real = 0;
    enum rg_status st;
    if (!b) return fail(r, RG_INPUT, s->line, s->column, "unknown buffer '%.100s'", s->a);
    if (b->elem == RG_STRUCT) /* zero bytes, as the check made sure */
        return operated(
            r, r->ops->fill(r->ops->arg, b->handle, b->elements * b->elem_bytes, RG_U8, 0, 0, false, r->err), s);
    bool is_real = rg_scalar_is_real(b->elem);
    if (is_real) {
        struct rg_error own = RG_ERROR_INIT;
        st = place(r, rg__plan_eval_real(s->value, &r->env, &real, &own), s->value, &own);
    } else {
        st = eval(r, s->value, &value);
        /* -1 fills an unsigned buffer with ones, as in C. */
        bool fits = rg__fits(b->elem, value) || (b->elem != RG_BOOL && rg__fits(signed_twin(b->elem), value));
        if (st == RG_OK && !fits)
            return fail(r, RG_INPUT, s->value->line, s->value->column,
                        "%lld does not fit into '%.100s', which holds %s", (long long)value, s->a,
                        rg_scalar_cuda(b->elem));
    }
    if (st != RG_OK) return st;
    return operated(r, r->ops->fill(r->ops->arg, b->handle, b->elements, b->elem, value, real, is_real, r->err), s);
}

static enum rg_status range(struct runner *r, const struct rg_plan_stmt *s, const char *name, const struct slot *b,
                            int64_t offset, int64_t count)
{
    if (offset >= 0 && offset <= b->elements && count >= 0 && count <= b->elements - offset) return RG_OK;
    return fail(r, RG_INPUT, s->line, s->column, "copy of %lld elements at %lld of '%.100s', which has %lld",
                (long long)count, (long long)offset, name, (long long)b->elements);
}

static enum rg_status copy(struct runner *r, const struct rg_plan_stmt *s)
{
    const struct slot *from = slot_of(r, s->b), *to = s->a_symbol ? NULL : slot_of(r, s->a);
    int64_t a = 0, b = 0, count = 0;
    enum rg_status st;
    if (!from || (!to && !s->a_symbol)) return fail(r, RG_INPUT, s->line, s->column, "unknown buffer");
    if ((st = eval_or(r, s->a_offset, 0, &a)) != RG_OK || (st = eval_or(r, s->b_offset, 0, &b)) != RG_OK) return st;
    if (b < 0 || b > from->elements) return range(r, s, s->b, from, b, 0);
    if ((st = eval_or(r, s->count, from->elements - b, &count)) != RG_OK) return st;
    if ((st = range(r, s, s->b, from, b, count)) != RG_OK) return st;
    if (to && (st = range(r, s, s->a, to, a, count)) != RG_OK) return st;
    if (!count) return RG_OK;
    if (!to) {
        if (!r->ops->copy_symbol) return fail(r, RG_INPUT, s->line, s->column, "symbols can't be copied to here");
        return operated(r, r->ops->copy_symbol(r->ops->arg, s->a, from->handle, b, count, from->elem_bytes, r->err), s);
    }
    if (to == from && a < b + count && b < a + count)
        return fail(r, RG_INPUT, s->line, s->column, "copy within '%.100s' between overlapping ranges", s->b);
    return operated(r, r->ops->copy(r->ops->arg, to->handle, a, from->handle, b, count, from->elem_bytes, r->err), s);
}

static enum rg_status swap(struct runner *r, const struct rg_plan_stmt *s)
{
    int a = name_index(r, s->a), b = name_index(r, s->b);
    if (a < 0 || b < 0 || r->binding[a] < 0 || r->binding[b] < 0)
        return fail(r, RG_INPUT, s->line, s->column, "unknown buffer");
    int64_t x = r->slots[r->binding[a]].elements, y = r->slots[r->binding[b]].elements;
    if (x != y)
        return fail(r, RG_INPUT, s->line, s->column, "swap of '%.100s' with %lld elements and '%.100s' with %lld", s->a,
                    (long long)x, s->b, (long long)y);
    int t = r->binding[a];
    r->binding[a] = r->binding[b];
    r->binding[b] = t;
    return RG_OK;
}

static enum rg_status loop(struct runner *r, const struct rg_plan_stmt *s)
{
    int variables = r->n_variables;
    enum rg_status st = s->init ? assign(r, s->init) : RG_OK;
    bool first = s->kind == RG_PLAN_DO;
    while (st == RG_OK) {
        int64_t on = 1;
        if (!first && ((st = eval(r, s->value, &on)) != RG_OK || !on)) break;
        first = false;
        if (++r->iterations > r->max_iterations) {
            st = fail(r, RG_LIMIT, s->line, s->column, "more than %lld loop iterations", (long long)r->max_iterations);
            break;
        }
        st = run_body(r, s->n_body, s->body);
        if (st != RG_OK || r->leaving) break;
        if (s->step) st = assign(r, s->step);
    }
    r->leaving = false;
    r->n_variables = variables;
    return st;
}

static enum rg_status run_stmt(struct runner *r, const struct rg_plan_stmt *s)
{
    int64_t on = 0;
    enum rg_status st;
    switch (s->kind) {
    case RG_PLAN_SCRATCH:
        return RG_OK; /* made before */
    case RG_PLAN_REQUIRE:
        if ((st = eval(r, s->value, &on)) != RG_OK || on) return st;
        return fail(r, RG_INPUT, s->line, s->column,
                    "the kernels are not made for these sizes: a requirement of the plan does not hold");
    case RG_PLAN_LAUNCH:
        return launch(r, s);
    case RG_PLAN_FOR:
    case RG_PLAN_WHILE:
    case RG_PLAN_DO:
        return loop(r, s);
    case RG_PLAN_IF:
        if ((st = eval(r, s->value, &on)) != RG_OK) return st;
        return on ? run_body(r, s->n_body, s->body) : run_body(r, s->n_else, s->orelse);
    case RG_PLAN_FILL:
        return fill(r, s);
    case RG_PLAN_COPY:
        return copy(r, s);
    case RG_PLAN_SWAP:
        return swap(r, s);
    case RG_PLAN_INT:
        return assign(r, s);
    case RG_PLAN_BREAK:
        r->leaving = true;
        return RG_OK;
    case RG_PLAN_BLOCK:
        return run_body(r, s->n_body, s->body);
    }
    return rg_error_set(r->err, RG_BUG, "unknown statement of a plan");
}

static enum rg_status run_body(struct runner *r, int n, struct rg_plan_stmt *const *items)
{
    int variables = r->n_variables;
    enum rg_status st = RG_OK;
    for (int i = 0; i < n && st == RG_OK && !r->leaving; i++) st = run_stmt(r, items[i]);
    r->n_variables = variables;
    return st;
}

static enum rg_status make_scratch(struct runner *r, const struct rg_plan_stmt *s)
{
    struct slot *b = &r->slots[r->n_slots];
    *b = (struct slot){.elem = s->elem, .struct_index = s->struct_index};
    b->elem_bytes =
        s->elem == RG_STRUCT ? r->problem->structs[s->struct_index].bytes : (int64_t)rg_scalar_bytes(s->elem);
    enum rg_status st = eval(r, s->value, &b->elements);
    if (st != RG_OK) return st;
    if (b->elements < 1 ||
        b->elements > ((int64_t)1 << MAX_ELEMENT_BYTES_LOG2) / (b->elem_bytes > 0 ? b->elem_bytes : 1))
        return fail(r, RG_INPUT, s->value->line, s->value->column, "scratch '%.100s' would have %lld elements", s->a,
                    (long long)b->elements);
    st = r->ops->scratch(r->ops->arg, s->a, s->elem, s->struct_index, b->elements, &b->handle, r->err);
    if (st != RG_OK) return operated(r, st, s);
    r->names[r->n_named] = s->a;
    r->binding[r->n_named++] = r->n_slots++;
    return RG_OK;
}

/* Scratch buffers, and the top-level variables that their extents use. The variables are forgotten again: the run
 * proper declares them where they stand. */
static enum rg_status prepare(struct runner *r)
{
    const struct rg_plan *p = r->plan;
    enum rg_status st = RG_OK;
    for (int i = 0; i < p->n && st == RG_OK; i++) {
        const struct rg_plan_stmt *s = p->stmts[i];
        if (s->kind == RG_PLAN_SCRATCH) {
            st = make_scratch(r, s);
        } else if (s->kind == RG_PLAN_INT && s->declares && !rg__plan_reads(s->value)) {
            /* One that depends on what the plan computes can't be used by an extent, so its failure is no failure here.
             */
            int64_t v = 0;
            if (rg_expr_eval(s->value, &r->env, &v, NULL) == RG_OK && r->n_variables < RG__PLAN_MAX_NAMES)
                r->variables[r->n_variables++] = (struct variable){s->a, v};
        }
    }
    r->n_variables = 0;
    rg__plan_swap_groups(p, r->problem, r->group);
    for (int i = 0; i < r->problem->n_params && st == RG_OK; i++) {
        int g = r->group[i];
        r->spare[i] = -1;
        if (g < 0 || g == i) continue;
        if (r->spare[g] < 0) {
            struct slot *b = &r->slots[r->n_slots];
            *b = r->slots[g];
            st = r->ops->scratch(r->ops->arg, "spare", b->elem, b->struct_index, b->elements, &b->handle, r->err);
            r->spare[g] = r->n_slots++;
        }
        r->spare[i] = r->spare[g];
    }
    return st;
}

static enum rg_status whole_copy(struct runner *r, int to, int from)
{
    const struct slot *a = &r->slots[to], *b = &r->slots[from];
    return r->ops->copy(r->ops->arg, a->handle, 0, b->handle, 0, a->elements, a->elem_bytes, r->err);
}

/* Puts every parameter's content back into the parameter's own memory. A copy waits for those that still read its
 * target; where they wait in a circle, one goes through the spare. */
static enum rg_status settle(struct runner *r)
{
    int n = r->problem->n_params;
    for (;;) {
        int waiting = -1, ready = -1;
        for (int i = 0; i < n; i++) {
            if (r->binding[i] < 0 || r->binding[i] == i) continue;
            bool needed = false;
            for (int k = 0; k < n; k++) needed |= k != i && r->binding[k] == i;
            if (needed)
                waiting = i;
            else
                ready = i;
        }
        if (ready < 0 && waiting < 0) return RG_OK;
        enum rg_status st;
        if (ready >= 0) {
            if ((st = whole_copy(r, ready, r->binding[ready])) != RG_OK) return st;
            r->binding[ready] = ready;
        } else {
            int spare = r->spare[waiting];
            if (spare < 0) return rg_error_set(r->err, RG_BUG, "swapped parameters without a spare buffer");
            if ((st = whole_copy(r, spare, waiting)) != RG_OK) return st;
            for (int k = 0; k < n; k++)
                if (r->binding[k] == waiting) r->binding[k] = spare;
        }
    }
}

static enum rg_status bind_params(struct runner *r, const struct rg_sizes *sizes)
{
    const struct rg_problem *q = r->problem;
    for (int i = 0; i < q->n_params; i++) {
        const struct rg_param *p = &q->params[i];
        r->names[i] = p->name;
        r->binding[i] = -1;
        r->group[i] = r->spare[i] = -1;
        if (p->kind != RG_PARAM_ARRAY) continue;
        r->slots[i] = (struct slot){i, p->elem, p->struct_index, 0, p->elem_bytes};
        enum rg_status st = rg_problem_elements(q, i, sizes, &r->slots[i].elements, r->err);
        if (st != RG_OK) return st;
        r->binding[i] = i;
    }
    r->n_named = r->n_slots = q->n_params;
    return RG_OK;
}

enum rg_status rg_plan_run(const struct rg_plan *p, const struct rg_problem *problem, const struct rg_sizes *sizes,
                           const struct rg_kernel_sig *sigs, const struct rg_plan_ops *ops, int64_t max_launches,
                           struct rg_error *err)
{
    struct rg_error own = RG_ERROR_INIT; /* so that positions can be added even where the caller wants none */
    struct runner *r = rg_xcalloc(1, sizeof *r);
    int n = 2 * problem->n_params + 1;
    for (int i = 0; i < p->n; i++) n += p->stmts[i]->kind == RG_PLAN_SCRATCH;
    r->plan = p;
    r->problem = problem;
    r->sigs = sigs;
    r->ops = ops;
    r->err = err ? err : &own;
    r->env = (struct rg_expr_env){.arg = r, .name = lookup, .call = call};
    r->slots = rg_xcalloc((size_t)n, sizeof *r->slots);
    r->names = rg_xcalloc((size_t)n, sizeof *r->names);
    r->binding = rg_xcalloc((size_t)n, sizeof *r->binding);
    r->group = rg_xcalloc((size_t)n, sizeof *r->group);
    r->spare = rg_xcalloc((size_t)n, sizeof *r->spare);
    r->max_launches = max_launches > 0 ? max_launches : RG_PLAN_MAX_LAUNCHES;
    /* Loops that launch nothing are bounded by what the caller thinks long, too. */
    r->max_iterations = max_launches > 0 && max_launches < MAX_ITERATIONS / 64 ? 64 * max_launches : MAX_ITERATIONS;
    rg_problem_env_init(&r->sizes, problem, sizes);
    enum rg_status st = bind_params(r, sizes);
    if (st == RG_OK) st = prepare(r);
    for (int i = 0; i < p->n && st == RG_OK; i++) st = run_stmt(r, p->stmts[i]);
    if (st == RG_OK) st = settle(r);
    free(r->slots);
    free(r->names);
    free(r->binding);
    free(r->group);
    free(r->spare);
    free(r);
    return st;
}
