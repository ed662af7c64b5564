/* Counters of 32 bits. Threads count in strides beyond a loop's end, so an end close to that of the counter's type
 * would come round to small values again. Where one of the problem's sizes brings a loop there, it is counted in 64
 * bits; for other sizes the plan says up to where the kernels count (`require`), which the exported function asks of
 * its arguments. Ends are intervals over the loops around, as the plan's text. Source: the C does not overflow, but it
 * does not step over its end by more than one stride either. */
#include "poly/kernel/kernel.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE_STEP = 16, /* a thread's strides are so many times longer */
    SMALL = 1024
}; /* constants that are left out of an end: far less than what lies between the limit and that of the type */
static const int64_t COUNT_LIMIT = 2000000000;

struct ends {
    const struct rg_problem *p;
    const struct rg_ctree *t;
    struct rg_arena *a;
    int n; /* loops around */
    const struct rg_cnode *around[POLY_MAX_DEPTH];
};

static bool short_counter(const struct rg_ctree *t, int var)
{
    return rg_scalar_bytes(t->vars[var].type) == 4;
}

static const char *operand(struct ends *x, const char *text)
{
    return strpbrk(text, " ?<>-") ? rg_arena_printf(x->a, "(%s)", text) : text;
}

static bool small(const struct rg_cnode *e)
{
    return e->kind == RG_C_INT && e->ivalue <= SMALL && e->ivalue >= -SMALL;
}

static const char *choice(struct ends *x, const char *a, const char *b, bool most)
{
    return !a || !b ? NULL : !strcmp(a, b) ? a : rg_arena_printf(x->a, "%s(%s, %s)", most ? "max" : "min", a, b);
}

/* The greatest or least value, but for small constants; NULL: not known from the parameters. */
static const char *end_text(struct ends *x, const struct rg_cnode *e, bool most)
{
    struct poly_linear f;
    int64_t c;
    const char *a, *b;
    switch (e->kind) {
    case RG_C_INT:
        return rg_arena_printf(x->a, "%lld", (long long)e->ivalue);
    case RG_C_CAST:
        return e->n == 1 && !e->pointer && !rg_scalar_is_real(e->type) ? end_text(x, e->kid[0], most) : NULL;
    case RG_C_VAR: {
        const struct rg_cvar *v = &x->t->vars[e->var];
        if (e->array >= 0 || (v->kind == RG_CVAR_PARAM && v->assigned)) return NULL;
        if (v->kind == RG_CVAR_PARAM) return rg_scalar_is_real(v->type) ? NULL : x->p->params[v->param].name;
        int n = x->n, at = n - 1;
        while (at >= 0 && x->around[at]->var != e->var) at--;
        if (at < 0) return NULL;
        x->n = at;
        a = end_text(x, x->around[at]->kid[most == (x->around[at]->step > 0)], most);
        x->n = n;
        return a;
    }
    case RG_C_COND:
        return choice(x, end_text(x, e->kid[1], most), end_text(x, e->kid[2], most), most);
    case RG_C_CALL:
        if (e->n != 2 || e->callee >= 0 || !e->text || (strcmp(e->text, "min") && strcmp(e->text, "max"))) return NULL;
        return choice(x, end_text(x, e->kid[0], most), end_text(x, e->kid[1], most), e->text[1] == 'a');
    case RG_C_UNARY:
        a = e->op == RG_COP_NEG ? end_text(x, e->kid[0], !most) : NULL;
        return a ? rg_arena_printf(x->a, "-%s", operand(x, a)) : NULL;
    case RG_C_BINARY:
        if (e->op == RG_COP_ADD || e->op == RG_COP_SUB) {
            if (small(e->kid[1])) return end_text(x, e->kid[0], most);
            a = end_text(x, e->kid[0], most);
            b = end_text(x, e->kid[1], e->op == RG_COP_ADD ? most : !most);
            return a && b ? rg_arena_printf(x->a, "%s %s %s", a, rg_c_op_text(e->op), operand(x, b)) : NULL;
        }
        if (e->op == RG_COP_MUL) {
            const struct rg_cnode *by = e->kid[1], *of = e->kid[0];
            f = rg__poly_linear_of(x->t, by);
            if (!rg__poly_linear_const(&f, &c)) {
                by = e->kid[0];
                of = e->kid[1];
                f = rg__poly_linear_of(x->t, by);
            }
            a = rg__poly_linear_const(&f, &c) ? end_text(x, of, c < 0 ? !most : most) : NULL;
            return a ? rg_arena_printf(x->a, "%s * %lld", operand(x, a), (long long)c) : NULL;
        }
        f = rg__poly_linear_of(x->t, e->kid[1]);
        if (!rg__poly_linear_const(&f, &c) || c <= 0) return NULL;
        if (e->op == RG_COP_REM) return most ? rg_arena_printf(x->a, "%lld", (long long)c - 1) : "0";
        a = e->op == RG_COP_DIV ? end_text(x, e->kid[0], most) : NULL;
        return a ? rg_arena_printf(x->a, "%s / %lld", operand(x, a), (long long)c) : NULL;
    default:
        return NULL;
    }
}

/* What must not pass the limit for the loop to be counted in 32 bits: its last values and how many there are. false:
 * not known. */
struct conditions {
    int n;
    const char *most[3]; /* text <= limit */
};

/* high - low where both are sums over parameters, each named once; NULL else. */
static const char *difference(struct ends *x, const struct rg_cnode *high, const struct rg_cnode *low)
{
    struct poly_linear d = rg__poly_linear_of(x->t, high), l = rg__poly_linear_of(x->t, low);
    const char *text = NULL;
    rg__poly_linear_add(&d, &l, -1);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < d.n && d.ok; i++) {
            const struct rg_cvar *v = &x->t->vars[d.term[i].var];
            if (v->kind != RG_CVAR_PARAM) return NULL;
            if ((pass == 0) != (d.term[i].c > 0)) continue;
            int64_t m = pass ? -d.term[i].c : d.term[i].c;
            const char *name = x->p->params[v->param].name,
                       *of = m == 1 ? name : rg_arena_printf(x->a, "%lld * %s", (long long)m, name);
            text = text   ? rg_arena_printf(x->a, "%s %c %s", text, pass ? '-' : '+', of)
                   : pass ? rg_arena_printf(x->a, "-%s", operand(x, of))
                          : of;
        }
    if (!d.ok || (text && (d.k > SMALL || d.k < -SMALL))) return NULL;
    return text ? text : rg_arena_printf(x->a, "%lld", (long long)d.k);
}

static bool conditions_of(struct ends *x, const struct rg_cnode *l, struct conditions *out)
{
    bool up = l->step > 0;
    const char *high = end_text(x, l->kid[up ? 1 : 0], true), *low = end_text(x, l->kid[up ? 0 : 1], false);
    const struct rg_expr *e;
    int64_t v;
    out->n = 0;
    if (!high || !low) return false;
    out->most[out->n++] = high;
    bool known = rg_expr_parse_all(x->a, low, &e, NULL) == RG_OK && rg_expr_eval(e, NULL, &v, NULL) == RG_OK;
    if (known && v >= -SMALL) return true;
    const char *count = difference(x, l->kid[up ? 1 : 0], l->kid[up ? 0 : 1]);
    out->most[out->n++] = count ? count : rg_arena_printf(x->a, "%s - %s", high, operand(x, low));
    if (!up && !known) out->most[out->n++] = rg_arena_printf(x->a, "-%s", operand(x, low));
    return true;
}

/* Does it hold at each of the problem's sizes? *always: whatever they are. */
static bool holds(struct ends *x, const char *text, int64_t limit, bool *always)
{
    const struct rg_expr *e;
    int64_t v;
    *always = false;
    if (rg_expr_parse_all(x->a, text, &e, NULL) != RG_OK) return false;
    if (rg_expr_eval(e, NULL, &v, NULL) == RG_OK) {
        *always = v <= limit;
        return *always;
    }
    for (int i = 0; i < x->p->n_sizes; i++) {
        struct rg_problem_env env;
        rg_problem_env_init(&env, x->p, &x->p->sizes[i]);
        if (rg_expr_eval(e, &env.env, &v, NULL) != RG_OK || v > limit) return false;
    }
    return true;
}

static void each_loop(struct ends *x, const struct rg_cnode *n,
                      void (*fn)(void *arg, struct ends *x, const struct rg_cnode *l), void *arg)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF)) return;
    if (n->kind == RG_C_LOOP) fn(arg, x, n);
    bool in = n->kind == RG_C_LOOP && x->n < POLY_MAX_DEPTH;
    if (in) x->around[x->n++] = n;
    for (int i = n->kind == RG_C_LOOP ? 2 : n->kind == RG_C_IF ? 1 : 0; i < n->n; i++) each_loop(x, n->kid[i], fn, arg);
    x->n -= in;
}

/* ---- loops that the problem's sizes bring there ---- */

static void note_far(void *arg, struct ends *x, const struct rg_cnode *l)
{
    bool *far = arg, always, ok;
    struct conditions c;
    if (!short_counter(x->t, l->var)) return;
    ok = conditions_of(x, l, &c) && l->step <= LARGE_STEP && l->step >= -LARGE_STEP;
    for (int i = 0; i < c.n && ok; i++) ok = holds(x, c.most[i], COUNT_LIMIT, &always);
    far[l->var] = far[l->var] || !ok;
}

/* The variable, where it is read, with the type that it has in the C. */
static struct rg_cnode *with_casts(const struct rg_ctree *t, struct rg_arena *a, const struct rg_cnode *n,
                                   const bool *far)
{
    if (!n) return NULL;
    struct rg_cnode *c = rg__c_shallow(a, n);
    for (int i = 0; i < n->n; i++) c->kid[i] = with_casts(t, a, n->kid[i], far);
    if (n->kind != RG_C_VAR || n->array >= 0 || n->var < 0 || !far[n->var]) return c;
    struct rg_cnode *cast = rg__c_shallow(a, n), *kid = c;
    cast->kind = RG_C_CAST;
    cast->op = RG_COP_NONE;
    cast->type = t->vars[n->var].type;
    cast->text = NULL;
    cast->var = -1;
    cast->n = 1;
    cast->kid = rg_arena_alloc(a, sizeof *cast->kid);
    cast->kid[0] = kid;
    kid->type = RG_LLONG;
    return cast;
}

const struct rg_ctree *rg__poly_count_far(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *a)
{
    bool *far = rg_xcalloc((size_t)t->n_vars + 1, sizeof *far), any = false;
    struct ends x = {.p = p, .t = t, .a = a};
    each_loop(&x, t->root, note_far, far);
    for (int v = 0; v < t->n_vars; v++) any = any || far[v];
    if (!any) {
        free(far);
        return t;
    }
    struct rg_ctree *c = rg_arena_alloc(a, sizeof *c);
    *c = *t;
    c->vars = rg_arena_alloc(a, sizeof *c->vars * (size_t)(t->n_vars + 1));
    memcpy(c->vars, t->vars, sizeof *c->vars * (size_t)t->n_vars);
    for (int v = 0; v < t->n_vars; v++)
        if (far[v]) {
            c->vars[v].type = RG_LLONG;
            c->vars[v].c_type = rg_scalar_c(RG_LLONG);
        }
    c->root = with_casts(t, a, t->root, far);
    free(far);
    return c;
}

/* ---- how far the kernels count ---- */

static const char *longest(struct ends *x, const struct rg_cnode *n, int var)
{
    const char *found = NULL;
    for (int i = 0; n && i < n->n && !found; i++) {
        const struct rg_cnode *at = n->kid[i];
        at = rg__c_uncast(at, RG__C_CASTS);
        const struct rg_expr *e =
            n->kind == RG_C_INDEX && i < x->t->arrays[n->array].n_dims ? x->t->arrays[n->array].dims[i] : NULL;
        if (e && at && at->kind == RG_C_VAR && at->array < 0 && at->var == var) {
            struct rg_buf b = RG_BUF_INIT;
            rg_expr_print(&b, e, NULL, NULL);
            found = rg_arena_strdup(x->a, b.data);
            rg_buf_release(&b);
        } else {
            found = longest(x, n->kid[i], var);
        }
    }
    return found;
}

/* A range that data give ends inside of an array that its counter subscripts; NULL: it subscripts none of a known
 * length. */
static const char *opaque_end(struct ends *x, const struct poly_opaque_loop *o)
{
    return o->step <= SMALL ? longest(x, o->body, o->var) : NULL;
}

bool rg__poly_opaque_far(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *a,
                         const struct poly_opaque_loop *o)
{
    struct ends x = {.p = p, .t = t, .a = a};
    bool always;
    const char *end = short_counter(x.t, o->var) ? opaque_end(&x, o) : "0";
    return !end || !holds(&x, end, COUNT_LIMIT, &always);
}

struct requiring {
    const struct poly_program *p;
    const struct poly_values *v;
    bool *host; /* [loop] one around launches, or phases: it counts as the C does */
    struct rg_buf *plan;
    int n;
    struct {
        const char *text;
        int64_t limit;
    } items[64];
    bool failed;
};

static void host_loops(const struct poly_hnode *h, bool *host)
{
    if (!h) return;
    if (h->kind == HN_FOR) host[h->loop] = true;
    for (int i = 0; i < h->n; i++) host_loops(h->kid[i], host);
}

static int64_t limit_of(const struct requiring *r, const struct rg_cnode *l)
{
    bool strides = false;
    for (int k = 0; k < r->p->n_kernels; k++)
        strides = strides || r->p->kernels[k].grid_stride || r->p->kernels[k].form == POLY_PARTIAL ||
                  r->p->kernels[k].strides;
    int64_t step = l->step > 0 ? l->step : -l->step, room;
    int64_t stride =
        (strides ? r->v->grid * r->v->width : 64) * 1024; /* threads of a launch, or the points of a block */
    if (__builtin_mul_overflow(stride, step, &room) || room > INT_MAX / 2) return 0;
    room = INT_MAX - room - 64 * SMALL;
    return room >= COUNT_LIMIT ? COUNT_LIMIT : room / 100000000 * 100000000;
}

static void add_require(struct requiring *r, const char *text, int64_t limit)
{
    int at = 0;
    while (at < r->n && strcmp(r->items[at].text, text)) at++;
    if (at == sizeof r->items / sizeof *r->items) {
        r->failed = true;
        return;
    }
    if (at == r->n) r->items[r->n++].limit = limit;
    r->items[at].text = text;
    r->items[at].limit = r->items[at].limit < limit ? r->items[at].limit : limit;
}

static void require_loop(void *arg, struct ends *x, const struct rg_cnode *l)
{
    struct requiring *r = arg;
    struct conditions c;
    int loop = rg__poly_loop_of(r->p->scop, l);
    bool always, runs = loop >= 0 && !r->host[loop] && short_counter(x->t, l->var);
    if (!runs) return;
    int64_t limit = limit_of(r, l);
    if (!conditions_of(x, l, &c))
        return; /* counted in 64 bits where it was read; where a step made it, within what the loops it was made of
                   count */
    for (int i = 0; i < c.n; i++) {
        r->failed = r->failed || !holds(x, c.most[i], limit, &always);
        if (always || r->failed) continue;
        add_require(r, c.most[i], limit);
    }
}

static void require_opaque(struct requiring *r, struct ends *x, const struct rg_cnode *n)
{
    struct poly_opaque_loop o;
    bool always;
    if (n && n->kind == RG_C_OPAQUE && rg__poly_opaque_loop(r->p->scop, n, &o) && short_counter(x->t, o.var)) {
        const char *end = opaque_end(x, &o);
        if (end && holds(x, end, COUNT_LIMIT, &always) && !always) add_require(r, end, COUNT_LIMIT);
    }
    for (int i = 0; n && i < n->n; i++) require_opaque(r, x, n->kid[i]);
}

struct fixed_names {
    const struct rg_problem *p;
    bool all;
};

static void fixed_name(void *arg, const char *name)
{
    struct fixed_names *f = arg;
    int i = rg_problem_param(f->p, name);
    int64_t v;
    f->all = f->all && i >= 0 && rg_problem_fixed(f->p, i, &v);
}

bool rg__poly_known_value(const struct rg_problem *p, const struct rg_expr *e, int64_t *v)
{
    struct fixed_names f = {p, true};
    struct rg_problem_env env;
    if (!e || !p->n_sizes) return e && rg_expr_eval(e, NULL, v, NULL) == RG_OK;
    rg_expr_names(e, fixed_name, &f);
    rg_problem_env_init(&env, p, &p->sizes[0]);
    return f.all && rg_expr_eval(e, &env.env, v, NULL) == RG_OK;
}

enum rg_status rg__poly_plan_require(const struct poly_program *p, const struct poly_values *v, struct rg_arena *a,
                                     struct rg_buf *plan, struct rg_error *err)
{
    const struct poly_scop *s = p->scop;
    struct ends x = {.p = s->problem, .t = s->tree, .a = a};
    struct requiring r = {.p = p, .v = v, .host = rg_xcalloc((size_t)s->n_loops + 1, 1), .plan = plan};
    host_loops(p->root, r.host);
    if (rg__poly_program_parallel(p)) {
        each_loop(&x, s->tree->root, require_loop, &r);
        require_opaque(&r, &x, s->tree->root);
    }
    free(r.host);
    if (r.failed)
        return rg_error_set(err, RG_INPUT, "a counter of 32 bits would pass the end of its type at one of the sizes");
    for (int i = 0; i < r.n; i++) {
        const struct rg_expr *e;
        int64_t known;
        if (rg_expr_parse_all(x.a, r.items[i].text, &e, NULL) != RG_OK || !rg__poly_known_value(s->problem, e, &known))
            rg_buf_printf(plan, "require(%s <= %lld);\n", r.items[i].text, (long long)r.items[i].limit);
    }
    return RG_OK;
}
