/* Work of one run, counted on the tree at given sizes: array accesses and floating-point operations. Triangular nests
 * are sampled; loops that depend on data get the trips their inputs suggest. */
#include "frontend/infer/infer.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6, DATA_TRIPS = 16, WHILE_TRIPS = 32, TEXT_LEAST = 1000 };

struct counter {
    const struct rg_problem *p;
    const struct rg_ctree *t;
    const struct rg_sizes *sizes;
    int64_t *value; /* by variable */
    bool *known;
    signed char *written; /* by variable, of those that were asked for: 1 assigned to somewhere, -1 nowhere */
    int fuel;
    int depth; /* of loops whose bodies' bounds depend on them */
    bool few;  /* rounds are counted as `times`: see rounds_of */
    int times;
    bool rounds; /* there are any */
};

/* A loop's body is counted many times. */
static bool written_somewhere(struct counter *c, int var)
{
    if (!c->written[var]) c->written[var] = rg__c_writes_var(c->t->root, var) ? 1 : -1;
    return c->written[var] > 0;
}

static bool eval(const struct counter *c, const struct rg_cnode *e, int64_t *v)
{
    int64_t a = 0, b = 0;
    switch (e->kind) {
    case RG_C_INT:
        return *v = e->ivalue, true;
    case RG_C_VAR:
        return e->array < 0 && c->known[e->var] && (*v = c->value[e->var], true);
    case RG_C_CAST:
        return rg__scalar_is_int(e->type) && rg__scalar_is_int(e->kid[0]->type) && eval(c, e->kid[0], v);
    case RG_C_UNARY:
        if (!eval(c, e->kid[0], &a)) return false;
        if (e->op == RG_COP_NEG) return !__builtin_sub_overflow((int64_t)0, a, v);
        if (e->op == RG_COP_NOT) return *v = !a, true;
        return e->op == RG_COP_POS && (*v = a, true);
    case RG_C_COND:
        if (!eval(c, e->kid[0], &a)) return false;
        return eval(c, e->kid[a ? 1 : 2], v);
    case RG_C_BINARY: {
        if (!eval(c, e->kid[0], &a) || !eval(c, e->kid[1], &b)) return false;
        if (e->op == RG_COP_ADD) return !__builtin_add_overflow(a, b, v);
        if (e->op == RG_COP_SUB) return !__builtin_sub_overflow(a, b, v);
        if (e->op == RG_COP_MUL) return !__builtin_mul_overflow(a, b, v);
        if (e->op == RG_COP_DIV) return b > 0 && (*v = a / b, true);
        if (e->op == RG_COP_REM) return b > 0 && (*v = a % b, true);
        if (e->op == RG_COP_LT) return *v = a < b, true;
        if (e->op == RG_COP_LE) return *v = a <= b, true;
        if (e->op == RG_COP_GT) return *v = a > b, true;
        if (e->op == RG_COP_GE) return *v = a >= b, true;
        if (e->op == RG_COP_EQ) return *v = a == b, true;
        if (e->op == RG_COP_NE) return *v = a != b, true;
        if (e->op == RG_COP_AND) return *v = a && b, true;
        if (e->op == RG_COP_OR) return *v = a || b, true;
        if (e->op == RG_COP_SHL) return b >= 0 && b < 40 && a >= 0 && a < 1 << 20 && (*v = a << b, true);
        if (e->op == RG_COP_SHR) return b >= 0 && b < 63 && a >= 0 && (*v = a >> b, true);
        if (e->op == RG_COP_BAND) return a >= 0 && b >= 0 && (*v = a & b, true);
        return false;
    }
    default:
        return false;
    }
}

static struct rg__count count(struct counter *c, const struct rg_cnode *n);

static void add(struct rg__count *s, struct rg__count x, double times)
{
    s->accesses += x.accesses * times;
    s->flops += x.flops * times;
    s->empty |= x.empty;
}

static const struct rg_cnode *declared_as(const struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_DECL && n->var == var && n->array < 0) return n->n ? n->kid[0] : NULL;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *d = declared_as(n->kid[i], var);
        if (d) return d;
    }
    return NULL;
}

/* 0 .. n[i] where a size is the largest of the elements of n (reach.c): half of it, or all where the file's own program
 * makes them. 0: there is none. */
static double counted_trips(const struct counter *c, const struct rg_cnode *lower, const struct rg_cnode *upper)
{
    int64_t number, most;
    upper = rg__c_uncast(upper, RG__C_CASTS);
    if ((upper->op == RG_COP_ADD || upper->op == RG_COP_SUB) && rg__c_number(upper->kid[1], &number))
        upper = rg__c_uncast(upper->kid[0], RG__C_CASTS);
    const int param = upper->kind == RG_C_INDEX ? c->t->arrays[upper->array].param : -1;
    if (param < 0 || !rg__c_number(rg__c_uncast(lower, RG__C_CASTS), &number)) return 0;
    const struct rg_param *q = &c->p->params[param];
    const size_t n = strlen(rg_param_shown(q));
    for (int i = 0; i < c->p->n_params; i++) {
        const struct rg_param *end = &c->p->params[i];
        const char *shown = rg_param_shown(end);
        struct rg_problem_env env;
        if (end->kind != RG_PARAM_SCALAR || !end->indirect || strncmp(shown, rg_param_shown(q), n) ||
            strcmp(shown + n, ".end") != 0)
            continue;
        rg_problem_env_init(&env, c->p, c->sizes);
        if (env.env.name && env.env.name(env.env.arg, end->name, &most) && most > 0)
            return q->input.kind == RG_INPUT_UNIFORM ? ((double)most + 1) / 2 : (double)most;
    }
    return 0;
}

/* p[i] .. p[i + 1] of a prefix array: the average. */
static double data_trips(const struct counter *c, const struct rg_cnode *lower, const struct rg_cnode *upper)
{
    const struct rg_cnode *ends[2] = {lower, upper};
    for (int k = 0; k < 2; k++) {
        const struct rg_cnode *e = ends[k];
        e = rg__c_uncast(e, RG__C_CASTS);
        if (e->kind == RG_C_VAR && e->array < 0) e = declared_as(c->t->root, e->var); /* int start = p[i]; */
        if (!e || e->kind != RG_C_INDEX || c->t->arrays[e->array].param < 0) continue;
        int param = c->t->arrays[e->array].param;
        const struct rg_param *q = &c->p->params[param];
        struct rg_problem_env env;
        int64_t total, n;
        rg_problem_env_init(&env, c->p, c->sizes);
        if (q->input.kind != RG_INPUT_PREFIX || !q->input.int_args[0]) continue;
        if (rg_expr_eval(q->input.int_args[0], &env.env, &total, NULL) != RG_OK) continue;
        if (rg_problem_elements(c->p, param, c->sizes, &n, NULL) != RG_OK || n < 2) continue;
        return (double)total / (double)(n - 1);
    }
    const double counted = counted_trips(c, lower, upper);
    return counted > 0 ? counted : DATA_TRIPS;
}

static bool depends(const struct rg_cnode *n, int var)
{ /* does the amount of work below n depend on var? */
    if (!n) return false;
    if (n->kind == RG_C_LOOP && (rg__c_mentions_var(n->kid[0], var) || rg__c_mentions_var(n->kid[1], var))) return true;
    if (n->kind == RG_C_IF && rg__c_mentions_var(n->kid[0], var)) return true;
    if (rg__c_is_expr(n)) return false;
    for (int i = 0; i < n->n; i++)
        if (depends(n->kid[i], var)) return true;
    return false;
}

const struct rg_cnode *rg__flag_value(const struct rg_cnode *loop, const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    bool set = loop->kind == RG_C_LOOP && loop->n > 3 && a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR &&
               a->kid[0]->array < 0 && rg__c_mentions_var(loop->kid[3], a->kid[0]->var);
    return set ? a->kid[1] : NULL;
}

const struct rg_cnode *rg__loop_of_rounds(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    bool ends = (n->kind == RG_C_LOOP && n->n > 3) || n->kind == RG_C_WHILE || n->kind == RG_C_DO;
    if (ends && rg__c_has_loop(n->kid[n->kind == RG_C_LOOP ? 2 : n->kind == RG_C_WHILE])) return n;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *l = rg__loop_of_rounds(n->kid[i]);
        if (l) return l;
    }
    return NULL;
}

/* Times that the body of a loop which data end runs, of which `most` are counted: rounds, where other loops stand in
 * it. A walk along a list or a search in a row is no such loop. */
static double rounds_of(struct counter *c, const struct rg_cnode *body, double most)
{
    if (!c->few || !rg__c_has_loop(body)) return most;
    c->rounds = true;
    return c->times;
}

/* Of `trips` iterations, those up to the first behind which a part of the condition is known not to hold:
 * `go_on = change > tol && round + 1 < most`. */
static int64_t ended_by(struct counter *c, const struct rg_cnode *loop, const struct rg_cnode *part, int64_t lo,
                        int64_t trips)
{
    int64_t holds;
    if (part->op == RG_COP_AND) {
        for (int i = 0; i < 2; i++) trips = ended_by(c, loop, part->kid[i], lo, trips);
        return trips;
    }
    if (!rg__c_mentions_var(part, loop->var)) return trips;
    int64_t first = 0, last = trips - 1;
    while (first <= last) {
        const int64_t middle = first + (last - first) / 2;
        c->value[loop->var] = lo + middle * loop->step;
        if (!eval(c, part, &holds)) return trips;
        if (holds)
            first = middle + 1;
        else
            last = middle - 1;
    }
    return first < trips ? first + 1 : trips;
}

/* What the loop's flag is given in its body. */
static int64_t ended_by_flag(struct counter *c, const struct rg_cnode *loop, const struct rg_cnode *n, int64_t lo,
                             int64_t trips)
{
    const struct rg_cnode *value = rg__flag_value(loop, n);
    if (value) return ended_by(c, loop, value, lo, trips);
    for (int i = 0; i < n->n && !rg__c_is_expr(n); i++)
        if (n->kid[i]) trips = ended_by_flag(c, loop, n->kid[i], lo, trips);
    return trips;
}

static struct rg__count loop(struct counter *c, const struct rg_cnode *n)
{
    struct rg__count s = count(c, n->kid[0]);
    add(&s, count(c, n->kid[1]), 1);
    int64_t lo, up;
    bool was = c->known[n->var];
    if (!eval(c, n->kid[0], &lo) || !eval(c, n->kid[1], &up)) {
        c->known[n->var] = false;
        add(&s, count(c, n->kid[2]), data_trips(c, n->kid[0], n->kid[1]));
        return s;
    }
    int64_t step = n->step > 0 ? n->step : -n->step, span = n->step > 0 ? up - lo : lo - up;
    if (span <= 0) {
        s.empty = !c->depth;
        return s;
    }
    int64_t trips = (span + step - 1) / step;
    c->known[n->var] = true;
    if (n->n > 3) trips = ended_by_flag(c, n, n->kid[2], lo, trips);
    if (n->n > 3 && trips > 1 << 24) trips = WHILE_TRIPS;                             /* no bound but the data */
    double times = n->n > 3 ? rounds_of(c, n->kid[2], (double)trips) : (double)trips; /* one round: the average one */
    bool varying = depends(n->kid[2], n->var); /* a triangle's tip is empty at every size */
    c->depth += varying;
    int samples = depends(n->kid[2], n->var) && c->fuel-- > 0 ? (trips < SAMPLES ? (int)trips : SAMPLES) : 1;
    for (int k = 0; k < samples; k++) {
        /* the middle of each of `samples` equal parts: exact for work that grows linearly */
        int64_t at = (int64_t)(((double)k + 0.5) * (double)trips / samples);
        c->value[n->var] = lo + at * n->step;
        add(&s, count(c, n->kid[2]), times / samples);
    }
    c->depth -= varying;
    c->known[n->var] = was;
    return s;
}

static bool is_flop(const struct rg_cnode *n)
{
    if (n->kind == RG_C_BINARY) return rg_scalar_is_real(n->type) && rg_c_arithmetic(n->op);
    if (n->kind == RG_C_ASSIGN) return n->op != RG_COP_SET && rg_scalar_is_real(n->kid[0]->type) && !n->kid[0]->pointer;
    return n->kind == RG_C_CALL && n->callee < 0 && rg_scalar_is_real(n->type);
}

/* ---- text without a tree ---- */

/* How deep its for loops are nested. */
static int nested_loops(const char *text)
{
    enum { MOST = 16 };
    struct {
        int braces;
        bool block;
    } open[MOST];
    int n = 0, deepest = 0, braces = 0;
    for (const char *at = text; *at; at++) {
        bool word = isalnum((unsigned char)*at) || *at == '_';
        if (word) {
            size_t len = 1;
            while (isalnum((unsigned char)at[len]) || at[len] == '_') len++;
            bool is_for = len == 3 && !memcmp(at, "for", 3);
            at += len - 1;
            if (!is_for || n == MOST) continue;
            int parens = 0;
            do { /* over the header */
                at++;
                parens += (*at == '(') - (*at == ')');
            } while (*at && (parens || *at != ')'));
            if (!*at) break;
            const char *next = at + 1 + strspn(at + 1, " \t\n");
            open[n].braces = braces;
            open[n++].block = *next == '{';
            deepest = n > deepest ? n : deepest;
            continue;
        }
        braces += (*at == '{') - (*at == '}');
        if (*at == '}' && n && open[n - 1].block && open[n - 1].braces == braces) n--;
        if (*at == ';' || *at == '}') /* the end of statements that are no blocks */
            while (n && !open[n - 1].block && open[n - 1].braces == braces) n--;
    }
    return deepest;
}

struct factors { /* of an extent: the sizes in it */
    const struct counter *c;
    int n;
    double product;
};

static void note_factor(void *arg, const char *name)
{
    struct factors *f = arg;
    struct rg_problem_env env;
    int64_t v;
    rg_problem_env_init(&env, f->c->p, f->c->sizes);
    if (!env.env.name(&env, name, &v) || v < 1) return;
    f->n++;
    f->product *= (double)v;
}

/* What it goes over is what it is given; loops that are nested deeper than a matrix has sizes go over that again, once
 * a row or a column. Those over lists of elements go along few of them. */
static double text_accesses(const struct counter *c, const char *text)
{
    struct factors most = {c, 0, 1};
    double all = 0, largest = 0;
    for (int i = 0; i < c->p->n_params; i++) {
        const struct rg_param *q = &c->p->params[i];
        int64_t n;
        if (q->kind != RG_PARAM_ARRAY || rg_problem_elements(c->p, i, c->sizes, &n, NULL) != RG_OK) continue;
        all += (double)n;
        if ((double)n <= largest) continue;
        largest = (double)n;
        most = (struct factors){c, 0, 1};
        for (int d = 0; d < q->n_dims; d++) rg_expr_names(q->dims[d], note_factor, &most);
    }
    if (most.n > 1 && nested_loops(text) > most.n) all *= pow(most.product, 1.0 / most.n);
    return fmax(all, TEXT_LEAST);
}

/* ---- statements ---- */

/* Runs of a for that is no LOOP, as it is left early or its counter set: by its header, where that says it. */
static double header_trips(const struct counter *c, const struct rg_cnode *f)
{
    const struct rg_cnode *i = f->kid[0], *cond = f->kid[1], *lower = NULL;
    int64_t lo, up;
    int var = -1;
    if (i && i->kind == RG_C_BLOCK && i->n == 1) i = i->kid[0];
    if (i && i->kind == RG_C_STMT) i = i->kid[0];
    if (i && i->kind == RG_C_DECL && i->n && i->array < 0)
        var = i->var, lower = i->kid[0];
    else if (i && i->op == RG_COP_SET && i->kid[0]->kind == RG_C_VAR && i->kid[0]->array < 0)
        var = i->kid[0]->var, lower = i->kid[1];
    if (var < 0 || !cond || (cond->op != RG_COP_LT && cond->op != RG_COP_LE)) return DATA_TRIPS;
    const struct rg_cnode *v = rg__c_uncast(cond->kid[0], RG__C_CASTS);
    if (v->kind != RG_C_VAR || v->array >= 0 || v->var != var) return DATA_TRIPS;
    if (!eval(c, rg__c_uncast(lower, RG__C_INT_CASTS), &lo) || !eval(c, cond->kid[1], &up)) return DATA_TRIPS;
    return up > lo ? (double)(up - lo) : 0;
}

static struct rg__count count(struct counter *c, const struct rg_cnode *n)
{
    struct rg__count s = {0, 0, 0, false};
    int64_t v;
    if (!n) return s;
    switch (n->kind) {
    case RG_C_LOOP:
        return loop(c, n);
    case RG_C_IF:
        s = count(c, n->kid[0]);
        if (eval(c, n->kid[0], &v)) {
            if (v || n->n > 2) add(&s, count(c, n->kid[v ? 1 : 2]), 1);
        } else {
            for (int i = 1; i < n->n; i++) add(&s, count(c, n->kid[i]), n->n > 2 ? 0.5 : 1);
        }
        return s;
    case RG_C_FOR:
        for (int i = 0; i < 4; i++) add(&s, count(c, n->kid[i]), i ? header_trips(c, n) : 1);
        return s;
    case RG_C_WHILE:
    case RG_C_DO:
        for (int i = 0; i < 2; i++)
            add(&s, count(c, n->kid[i]), rounds_of(c, n->kid[n->kind == RG_C_WHILE], WHILE_TRIPS));
        return s;
    case RG_C_DECL: /* a local that is a plain function of known values */
        if (n->var >= 0 && n->array < 0) {
            c->known[n->var] = false;
            if (n->n && rg__scalar_is_int(c->t->vars[n->var].type) && c->t->vars[n->var].kind == RG_CVAR_LOCAL &&
                !written_somewhere(c, n->var))
                c->known[n->var] = eval(c, n->kid[0], &c->value[n->var]);
        }
        break;
    case RG_C_INDEX:
        s.accesses = 1;
        break;
    case RG_C_UNARY:
        s.accesses = n->op == RG_COP_DEREF;
        break;
    case RG_C_ASSIGN:
        if (n->op != RG_COP_SET && n->kid[0]->kind == RG_C_INDEX) s.accesses = 1;
        break;
    case RG_C_VERBATIM:
        s.accesses = n->text ? text_accesses(c, n->text) : TEXT_LEAST;
        break;
    case RG_C_CALL:
        if (n->callee >= 0) s.flops = 10;
        break;
    default:
        break;
    }
    if (is_flop(n)) s.flops += 1;
    for (int i = 0; i < n->n; i++) add(&s, count(c, n->kid[i]), 1);
    return s;
}

/* Runs of a nest's innermost body. */
static double nest(struct counter *c, const struct rg_cnode *const *loops, int n)
{
    if (!n) return 1;
    int64_t lo, up;
    const struct rg_cnode *l = loops[0];
    if (!eval(c, l->kid[0], &lo) || !eval(c, l->kid[1], &up)) return 0;
    int64_t step = l->step > 0 ? l->step : -l->step, span = l->step > 0 ? up - lo : lo - up;
    if (span <= 0) return 0;
    int64_t trips = (span + step - 1) / step;
    bool needed = false;
    for (int i = 1; i < n; i++)
        needed |= rg__c_mentions_var(loops[i]->kid[0], l->var) || rg__c_mentions_var(loops[i]->kid[1], l->var);
    int samples = !needed ? 1 : trips < SAMPLES ? (int)trips : SAMPLES;
    double sum = 0;
    bool was = c->known[l->var];
    c->known[l->var] = true;
    for (int k = 0; k < samples; k++) {
        c->value[l->var] = lo + (int64_t)(((double)k + 0.5) * (double)trips / samples) * l->step;
        sum += nest(c, loops + 1, n - 1);
    }
    c->known[l->var] = was;
    return sum * (double)trips / samples;
}

static void start(struct counter *c)
{
    c->value = rg_xcalloc((size_t)c->t->n_vars + 1, sizeof(int64_t));
    c->known = rg_xcalloc((size_t)c->t->n_vars + 1, sizeof(bool));
    c->written = rg_xcalloc((size_t)c->t->n_vars + 1, sizeof *c->written);
    for (int i = 0; i < c->t->n_vars; i++)
        for (int k = 0; k < c->p->n_size_params; k++)
            if (c->t->vars[i].kind == RG_CVAR_PARAM && c->t->vars[i].param == c->p->size_params[k]) {
                c->known[i] = true;
                c->value[i] = c->sizes->values[k];
            }
}

static void stop(struct counter *c)
{
    free(c->value);
    free(c->known);
    free(c->written);
}

double rg__executions(const struct rg_problem *p, const struct rg_ctree *t, const int64_t *values,
                      const struct rg_cnode *const *loops, int n)
{
    struct rg_sizes sizes = {.values = (int64_t *)(uintptr_t)values};
    struct counter c = {.p = p, .t = t, .sizes = &sizes, .fuel = 4000};
    start(&c);
    double s = nest(&c, loops, n);
    stop(&c);
    return s;
}

/* The work with so many rounds of the loops that data end. *any: there are such loops. */
static double with_rounds(const struct rg_problem *p, const struct rg_ctree *t, const struct rg_sizes *sizes, int times,
                          bool *any)
{
    struct counter c = {.p = p, .t = t, .sizes = sizes, .fuel = 4000, .few = true, .times = times};
    start(&c);
    struct rg__count s = count(&c, t->root);
    stop(&c);
    *any = c.rounds;
    return s.accesses;
}

struct rg__count rg__count_work(const struct rg_problem *p, const struct rg_ctree *t, const int64_t *values)
{
    struct rg_sizes sizes = {.values = (int64_t *)(uintptr_t)values};
    struct counter c = {.p = p, .t = t, .sizes = &sizes, .fuel = 4000};
    start(&c);
    struct rg__count s = count(&c, t->root);
    if (s.accesses < s.flops / 16) s.accesses = s.flops / 16; /* one that computes much and touches little */
    stop(&c);
    bool any;
    double one = with_rounds(p, t, &sizes, 1, &any), outside = any ? with_rounds(p, t, &sizes, 0, &any) : one;
    /* where most of the work stands outside of such a loop, be its rounds many, they tell nothing */
    s.round = any && (2 * one < s.accesses || 2 * outside < one) ? one : 0;
    return s;
}

bool rg_frontend_rounds(const struct rg_problem *p, const struct rg_ctree *t, double *out)
{
    bool all = p->n_sizes > 0;
    for (int i = 0; i < p->n_sizes; i++) {
        out[i] = rg__count_work(p, t, p->sizes[i].values).round;
        all = all && out[i] > 0;
    }
    return all;
}
