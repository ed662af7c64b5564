/* Sizes that nobody gave. An integer that decides how much there is to do - an extent, a loop's bound - gets a value
 * with which the work is moderate, and the report says so. Any other (an offset, a mode, a shift, a flag, one that
 * nothing uses) gets 1, and the verify sizes we add take 2 and 3 as well, a bool 0 and 1. */
#include "frontend/infer/infer.h"
#include "frontend/infer/reach.h"
#include "ir/access_walk.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t steps[] = {1000000, 100000, 10000, 4000, 2000, 1000, 500, 250, 100, 50, 32, 16, 8, 4, 2};
enum { N_STEPS = sizeof steps / sizeof *steps, ROUND = 50, LARGEST_POWER = 1 << 20 }; /* from ROUND on they are round */
enum { NARROW = 100, PER_ONE = 8, LIMIT = 4 }; /* of 8 bits; pairs for each that they lead into; a threshold */
static const double MODERATE = 2e8, LITTLE = 4e6, HARDLY = 1e5; /* accesses: a core takes 100 ms, a few, microseconds */

struct flow {
    const struct rg_ctree *t;
    bool *decides; /* by variable: how much work there is depends on it */
    bool changed;
};

static void mark(struct flow *f, const struct rg_cnode *e)
{
    if (!e) return;
    if (e->kind == RG_C_VAR && e->array < 0 && !f->decides[e->var]) f->decides[e->var] = f->changed = true;
    for (int i = 0; i < e->n; i++) mark(f, e->kid[i]);
}

/* Bounds of loops, and what is assigned to a variable that stands in one. */
static bool bounds(void *arg, struct rg_cnode *n)
{
    struct flow *f = arg;
    switch (n->kind) {
    case RG_C_LOOP:
    case RG_C_FOR:
        mark(f, n->kid[0]);
        mark(f, n->kid[1]);
        break;
    case RG_C_WHILE:
        mark(f, n->kid[0]);
        break;
    case RG_C_DO:
        mark(f, n->kid[1]);
        break;
    case RG_C_DECL:
        if (n->array < 0 && n->var >= 0 && f->decides[n->var] && n->n) mark(f, n->kid[0]);
        break;
    case RG_C_ASSIGN:
        if (n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && f->decides[n->kid[0]->var]) mark(f, n->kid[1]);
        break;
    default:
        break;
    }
    return true;
}

static void mark_name(void *arg, const char *name)
{
    struct flow *f = arg;
    for (int v = 0; v < f->t->n_vars; v++)
        if (f->t->vars[v].kind == RG_CVAR_PARAM && !strcmp(f->t->vars[v].name, name)) f->decides[v] = true;
}

/* requires: what conditions ask for is needed, too. */
static bool *needed(struct rg__load *l, bool requires)
{
    struct rg_problem *p = l->p;
    bool *out = rg_xcalloc((size_t)p->n_size_params + 1, sizeof *out);
    struct flow f = {l->t, rg_xcalloc((size_t)l->t->n_vars + 1, sizeof(bool)), true};
    for (int i = 0; i < p->n_params; i++) {
        for (int d = 0; d < p->params[i].n_dims; d++)
            if (p->params[i].dims[d]) rg_expr_names(p->params[i].dims[d], mark_name, &f);
        const struct rg_expr *value = p->params[i].derived ? p->params[i].derived : p->params[i].follows;
        if (value) rg_expr_names(value, mark_name, &f);
        for (int k = 0; k < p->params[i].input.n_args; k++)
            if (p->params[i].input.int_args[k]) rg_expr_names(p->params[i].input.int_args[k], mark_name, &f);
    }
    for (int a = 0; a < l->t->n_arrays; a++)
        for (int d = 0; d < l->t->arrays[a].n_dims; d++)
            if (l->t->arrays[a].dims && l->t->arrays[a].dims[d]) rg_expr_names(l->t->arrays[a].dims[d], mark_name, &f);
    for (int i = 0; i < p->n_require && requires; i++) rg_expr_names(p->require[i], mark_name, &f);
    while (f.changed) {
        f.changed = false;
        rg__c_walk(l->t->root, bounds, &f);
    }
    for (int k = 0; k < p->n_size_params; k++) {
        out[k] = l->b.verbatim != NULL; /* nothing is known of the body */
        for (int v = 0; v < l->t->n_vars; v++)
            out[k] |= l->t->vars[v].kind == RG_CVAR_PARAM && l->t->vars[v].param == p->size_params[k] && f.decides[v];
        if (requires && !out[k]) out[k] = rg__is_capacity(l->t, p->size_params[k]);
    }
    free(f.decides);
    return out;
}

bool *rg__sizes_needed(struct rg__load *l)
{
    return needed(l, true);
}

/* ---- what to propose ---- */

struct shrinks { /* parameters that make something smaller: a filter's width, a border, a stride */
    const struct rg_problem *p;
    bool *small, *divisor;
    bool *fewer; /* what pairs in a longer list lead into */
    double most; /* accesses that are proposed, at most */
};

static int size_index(const struct rg_problem *p, const char *name)
{
    for (int k = 0; k < p->n_size_params; k++)
        if (!strcmp(p->params[p->size_params[k]].name, name)) return k;
    return -1;
}

static void divisors(struct shrinks *s, const struct rg_expr *e)
{
    if (e->kind == RG_EXPR_BINARY && (e->op == RG_OP_DIV || e->op == RG_OP_MOD) && e->args[1]->kind == RG_EXPR_NAME) {
        int k = size_index(s->p, e->args[1]->name);
        if (k >= 0) s->divisor[k] = true;
    }
    for (int i = 0; i < e->n_args; i++) divisors(s, e->args[i]);
}

/* Does it fall when the parameter grows? */
static void falls(struct shrinks *s, const struct rg_expr *e)
{
    enum { HERE = 60 };
    const struct rg_problem *p = s->p;
    int64_t *v = rg_xcalloc((size_t)p->n_size_params + 1, sizeof *v), before, after;
    struct rg_sizes z = {.values = v};
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, &z);
    divisors(s, e);
    for (int k = 0; k < p->n_size_params; k++) v[k] = s->divisor[k] ? 1 : HERE;
    if (rg_expr_eval(e, &env.env, &before, NULL) == RG_OK)
        for (int k = 0; k < p->n_size_params; k++) {
            v[k]++;
            if (rg_expr_eval(e, &env.env, &after, NULL) == RG_OK && after < before) s->small[k] = true;
            v[k]--;
        }
    free(v);
}

/* Which parameters it grows with, and which it falls with. */
static void node_signs(const struct shrinks *s, const struct rg_ctree *t, const struct rg_cnode *e, bool negative,
                       bool *up, bool *down)
{
    if (e->kind == RG_C_VAR && e->array < 0 && t->vars[e->var].kind == RG_CVAR_PARAM) {
        int k = size_index(s->p, t->vars[e->var].name);
        if (k >= 0) (negative ? down : up)[k] = true;
    }
    bool minus = e->op == RG_COP_NEG || e->op == RG_COP_SUB;
    for (int i = e->kind == RG_C_COND ? 1 : 0; i < e->n; i++)
        node_signs(s, t, e->kid[i], negative != (minus && i == e->n - 1), up, down);
}

/* What stands on both sides, `n - n % 4`, is no border. */
static void note_signs(struct shrinks *s, const struct rg_ctree *t, const struct rg_cnode *e, bool negative)
{
    const size_t n = (size_t)s->p->n_size_params + 1;
    bool *up = rg_xcalloc(2 * n, sizeof *up), *down = up + n;
    node_signs(s, t, e, negative, up, down);
    for (int k = 0; k < s->p->n_size_params; k++) s->small[k] = s->small[k] || (down[k] && !up[k]);
    free(up);
}

/* x[i*stride - pad]: what only ever moves a subscript down is a border. */
static void note_borders(void *arg, const struct rg__visit *v)
{
    void **a = arg;
    struct shrinks *s = a[0];
    const struct rg_ctree *t = a[1];
    for (int d = 0; d < v->node->n; d++) {
        struct rg__poly p = rg__poly_of(v->range, v->node->kid[d]);
        for (int k = 0; k < s->p->n_size_params && !p.bad; k++) {
            bool up = false, down = false;
            for (int i = 0; i < p.n; i++)
                for (int j = 0; j < p.terms[i].degree; j++) {
                    int x = p.terms[i].var[j];
                    if (x >= RG__ATOM || t->vars[x].kind != RG_CVAR_PARAM || t->vars[x].param != s->p->size_params[k])
                        continue;
                    (p.terms[i].c > 0 ? &up : &down)[0] = true;
                }
            if (down && !up) s->small[k] = true;
        }
    }
}

static bool bound_signs(void *arg, struct rg_cnode *n)
{
    void **a = arg;
    const struct rg_ctree *t = a[1];
    if (n->kind == RG_C_LOOP) /* 1 .. n - 2*r, max(0, i - r) .. */
        for (int i = 0; i < 2; i++) {
            note_signs(a[0], t, n->kid[i], false);
            if (i == (n->step > 0 ? 0 : 1) && n->kid[i]->kind == RG_C_VAR) note_signs(a[0], t, n->kid[i], true);
        }
    return true;
}

/* How much there is to do with these values, memory counted too; < 0 when they do not go together. */
static double amount(struct rg__load *l, int64_t *v)
{
    struct rg_problem *p = l->p;
    struct rg_sizes z = {.values = v};
    if (rg_problem_derive(p, v, NULL) != RG_OK) return -1;
    for (int k = 0; k < p->n_size_params; k++)
        if (p->params[p->size_params[k]].derived && v[k] < 1) return -1;
    double bytes = 0, work = rg__count_work(p, l->t, v).accesses;
    for (int i = 0; i < p->n_params; i++) {
        int64_t n;
        if (p->params[i].kind != RG_PARAM_ARRAY) continue;
        if (rg_problem_elements(p, i, &z, &n, NULL) != RG_OK) return -1;
        bytes += (double)n * (double)p->params[i].elem_bytes;
    }
    if (!rg__past_guards(l, v)) return -1;
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, &z);
    for (int i = 0; i < p->n_require; i++) {
        int64_t ok;
        if (rg_expr_eval(p->require[i], &env.env, &ok, NULL) != RG_OK || !ok) return -1;
    }
    return work > bytes / 4 ? work : bytes / 4;
}

static void grow(struct rg__load *l, const bool *need, const struct shrinks *s, int64_t *v)
{
    for (int k = 0; k < l->p->n_size_params; k++) {
        if (!l->unset[k] || !need[k] || s->divisor[k] || s->small[k] || s->fewer[k] ||
            rg_size_follows(&l->p->params[l->p->size_params[k]]))
            continue;
        for (size_t i = 0; i < N_STEPS && steps[i] > v[k]; i++) {
            int64_t before = v[k];
            if (rg_scalar_bytes(l->p->params[l->p->size_params[k]].elem) < 4) break;
            v[k] = steps[i];
            double w = amount(l, v);
            if (w >= 0 && w <= s->most) break;
            v[k] = before;
            amount(l, v); /* what is computed follows */
        }
    }
}

/* Every size that nobody gave as large as that, as far as it may be; how much there is to do then. */
static double all_of(struct rg__load *l, const bool *need, const struct shrinks *s, int64_t *v, int64_t as)
{
    const struct rg_problem *p = l->p;
    for (int k = 0; k < p->n_size_params; k++) {
        if (!l->unset[k]) continue;
        v[k] = !need[k] || s->divisor[k]         ? 1
               : s->small[k] && as > 3           ? 3
               : s->fewer[k] && as > 2 * PER_ONE ? as / PER_ONE
                                                 : as;
        enum rg_scalar t = p->params[p->size_params[k]].elem;
        if (rg_scalar_bytes(t) < 4 && v[k] > NARROW) v[k] = NARROW;
        if (t == RG_BOOL) v[k] = 1;
    }
    for (int k = 0; k < p->n_size_params; k++)
        if (l->unset[k] && !need[k]) rg__meet_guards(l, k, v);
    return amount(l, v);
}

/* Where no round number would do but `least`, powers of two may: transforms ask for one. False: v is as it was. */
static bool powers(struct rg__load *l, const bool *need, const struct shrinks *s, int64_t *v, int64_t least)
{
    for (int64_t as = LARGEST_POWER; as > least; as /= 2) {
        double w = all_of(l, need, s, v, as);
        if (w >= 0 && w <= s->most) return true;
    }
    all_of(l, need, s, v, least);
    return false;
}

/* So many elements has an array: `h[key[i] % buckets]`. */
static bool is_extent(const struct rg_problem *p, const char *name)
{
    for (int i = 0; i < p->n_params; i++)
        for (int d = 0; d < p->params[i].n_dims; d++) {
            const struct rg_expr *e = p->params[i].dims[d];
            if (e && e->kind == RG_EXPR_NAME && !strcmp(e->name, name)) return true;
        }
    return false;
}

/* The largest of the steps that all go together at, and no more to do than that; false: none. */
static bool largest(struct rg__load *l, const bool *need, const struct shrinks *s, int64_t *v)
{
    bool confined = false, always = true;
    for (size_t i = 0; i < N_STEPS; i++) {
        double w = all_of(l, need, s, v, steps[i]);
        if (w >= 0 && w <= s->most) {
            if (always && steps[i] < ROUND && powers(l, need, s, v, steps[i])) return true;
            if (confined) grow(l, need, s, v);
            return true;
        }
        confined = w < 0; /* a written extent, a condition: not all can be as large as some */
        always = always && confined;
    }
    return false;
}

struct bounding {
    const struct rg__load *l;
    bool *by; /* [size] a loop goes by it */
};

static bool note_bounding(void *arg, struct rg_cnode *n)
{
    struct bounding *b = arg;
    const int first = n->kind == RG_C_WHILE ? 0 : n->kind == RG_C_FOR ? 1 : 0, last = n->kind == RG_C_LOOP ? 1 : first;
    if (n->kind != RG_C_LOOP && n->kind != RG_C_FOR && n->kind != RG_C_WHILE) return true;
    for (int i = first; i <= last; i++)
        for (int v = 0; n->kid[i] && v < b->l->t->n_vars; v++)
            for (int k = 0; k < b->l->p->n_size_params; k++)
                if (b->l->t->vars[v].kind == RG_CVAR_PARAM && b->l->t->vars[v].param == b->l->p->size_params[k] &&
                    rg__c_mentions_var(n->kid[i], v))
                    b->by[k] = true;
    return true;
}

/* Where no sizes go together as they are, what no loop goes by and no array is long is a place: that of a source in a
 * grid. False: there is none. */
static bool mark_places(struct rg__load *l, struct shrinks *s)
{
    const struct rg_problem *p = l->p;
    struct bounding b = {l, rg_xcalloc((size_t)p->n_size_params + 1, sizeof *b.by)};
    bool any = false;
    rg__c_walk(l->t->root, note_bounding, &b);
    for (int k = 0; k < p->n_size_params && !l->b.verbatim; k++) {
        const struct rg_param *q = &p->params[p->size_params[k]];
        if (b.by[k] || s->divisor[k] || q->derived || is_extent(p, q->name)) continue;
        any = s->divisor[k] = true;
    }
    free(b.by);
    return any;
}

/* A list has room for as many elements as there are in the longest array: it is not to be full. */
static void make_room(struct rg__load *l, int k, int64_t *v)
{
    const struct rg_problem *p = l->p;
    const struct rg_sizes z = {.values = v};
    const int64_t before = v[k];
    const enum rg_scalar type = p->params[p->size_params[k]].elem;
    for (int i = 0; i < p->n_params; i++) {
        int64_t n;
        if (p->params[i].kind == RG_PARAM_ARRAY && rg_problem_elements(p, i, &z, &n, NULL) == RG_OK && n > v[k])
            v[k] = n;
    }
    if (rg_scalar_bytes(type) < 4) v[k] = NARROW;
    if (amount(l, v) >= 0) return;
    v[k] = before;
    amount(l, v);
}

static void note_shrinks(struct rg__load *l, double most, struct shrinks *s)
{
    struct rg_problem *p = l->p;
    int n = p->n_size_params;
    *s = (struct shrinks){.p = p,
                          .small = rg_xcalloc((size_t)n + 1, sizeof(bool)),
                          .divisor = rg_xcalloc((size_t)n + 1, sizeof(bool)),
                          .most = most};
    void *arg[] = {s, l->t};
    for (int i = 0; i < p->n_params; i++) {
        for (int d = 0; d < p->params[i].n_dims; d++) falls(s, p->params[i].dims[d]);
        if (p->params[i].derived) falls(s, p->params[i].derived);
    }
    rg__c_walk(l->t->root, bound_signs, arg);
    struct rg__given *given = rg__given_of(l->t, p);
    rg__each_access(l->t, l->t->root, given, note_borders, arg);
    for (int i = 0; i < l->t->n_vars; i++)
        for (int k = 0; k < n; k++)
            if (l->t->vars[i].kind == RG_CVAR_PARAM && l->t->vars[i].param == p->size_params[k] && given->place[i] &&
                !is_extent(p, l->t->vars[i].name))
                s->divisor[k] = true; /* 1 */
    rg__given_free(given);
}

static void shrinks_free(struct shrinks *s)
{
    free(s->small);
    free(s->fewer);
    free(s->divisor);
}

static void propose_most(struct rg__load *l, const bool *need, double most, int64_t *v)
{
    const struct rg_problem *p = l->p;
    const int n = p->n_size_params;
    struct shrinks s;
    note_shrinks(l, most, &s);
    bool *work = needed(l, false); /* the row of a receiver, which must be one of them, is no amount of work */
    for (int k = 0; k < n; k++) s.divisor[k] = s.divisor[k] || !work[k];
    s.fewer = rg__led_into(l, s.divisor);
    if (!largest(l, need, &s, v) && mark_places(l, &s)) largest(l, need, &s, v);
    for (int k = 0; k < n; k++)
        if (l->unset[k] && !work[k] && rg__is_capacity(l->t, p->size_params[k])) make_room(l, k, v);
    free(work);
    shrinks_free(&s);
}

/* Less, where the C was seen to take longer than its loops say. */
static void propose(struct rg__load *l, const bool *need, int64_t *v)
{
    propose_most(l, need, MODERATE, v);
    const double work = l->o->halvings > 0 ? amount(l, v) : 0;
    if (work > 0) propose_most(l, need, ldexp(work, -l->o->halvings), v);
}

/* Is it little beside the largest: a filter's width (it shrinks something), a number of neighbours, of bins? */
static bool stays_little(int64_t own, int64_t largest, bool shrinks)
{
    enum { ALL_SMALL = 16, VERY = 4, LARGE_ENOUGH = 16, BESIDE_SMALL = 8 };
    if (largest <= ALL_SMALL) return false;
    if (own > ALL_SMALL) return own < largest / LARGE_ENOUGH;
    return own <= VERY || shrinks || own < largest / BESIDE_SMALL;
}

static bool called(const struct rg__load *l, int k)
{
    return k < l->n_called && l->called[k];
}

/* A size that the file's own call does not say, one of two lengths, goes with those that it says. */
static bool joins(const struct rg__load *l, const struct shrinks *s, int k)
{
    return l->unset[k] && !called(l, k) && !s->small[k] && !s->divisor[k] &&
           !rg_size_follows(&l->p->params[l->p->size_params[k]]);
}

/* Those become as large as the largest of the call, which is returned. */
static int64_t join_unset(const struct rg__load *l, const bool *need, const struct shrinks *s, int64_t *own)
{
    int64_t most = 0;
    for (int k = 0; k < l->p->n_size_params; k++)
        if (called(l, k) && need[k] && own[k] > most) most = own[k];
    for (int k = 0; k < l->p->n_size_params; k++)
        if (need[k] && joins(l, s, k)) own[k] = most;
    return most;
}

/* A demonstration's sizes say how those that matter go together: as many times as much as there is time for. What is
 * small beside others, a filter's width, a number of bins, stays. False: no larger ones go together. */
static bool take_times(struct rg__load *l, const bool *need)
{
    enum { MOST_TIMES = 1 << 20 };
    struct rg_problem *p = l->p;
    const int n = p->n_size_params;
    const double most = ldexp(MODERATE, -l->o->halvings);
    bool stated = p->n_sizes > 1;
    for (int i = 0; i < l->dirs.n; i++) stated |= l->dirs.items[i].kind == RG__DIR_SIZE;
    struct shrinks s;
    note_shrinks(l, most, &s);
    int64_t *v = rg_xcalloc(3 * (size_t)n + 1, sizeof *v), *best = v + n, *own = best + n, times = 0;
    memcpy(own, p->sizes[0].values, (size_t)n * sizeof *own);
    const int64_t largest_own = join_unset(l, need, &s, own);
    for (int64_t m = 2; m <= MOST_TIMES && !stated; m *= 2) {
        bool fits = true;
        for (int k = 0; k < n; k++) {
            const bool little = stays_little(own[k], largest_own, s.small[k] || s.divisor[k]);
            v[k] = (called(l, k) || joins(l, &s, k)) && need[k] && !little ? own[k] * m : own[k];
            const int bytes = rg_scalar_bytes(p->params[p->size_params[k]].elem);
            fits = fits && own[k] <= INT64_MAX / m / 2 && (bytes >= 8 || v[k] < INT64_C(1) << (8 * bytes - 1));
        }
        const double w = fits ? amount(l, v) : -1;
        if (w < 0 || w > most) break;
        memcpy(best, v, (size_t)n * sizeof *v);
        times = m;
    }
    struct rg_buf names = RG_BUF_INIT;
    for (int k = 0; k < n && times; k++) {
        const struct rg_param *q = &p->params[p->size_params[k]];
        if ((!called(l, k) && !(need[k] && joins(l, &s, k))) || rg_size_follows(q)) continue;
        rg_buf_printf(&names, "%s%s=%lld", names.len ? ", " : "", rg_param_shown(q), (long long)best[k]);
    }
    if (times) {
        memcpy(p->sizes[0].values, best, (size_t)n * sizeof *best);
        for (int k = 0; k < n; k++) {
            const bool joined = need[k] && joins(l, &s, k);
            if ((called(l, k) && need[k]) || joined) p->params[p->size_params[k]].proposed = true;
            if (joined) l->unset[k] = false;
        }
        p->size_note = rg_arena_printf(&p->arena,
                                       "%s: %lld times as much as the file's own call, at which there is "
                                       "next to nothing to do (--size says what to time)",
                                       names.data, (long long)times);
        p->size_halvings = l->o->halvings;
        rg__reach_sizes_again(l, need);
    }
    rg_buf_release(&names);
    shrinks_free(&s);
    free(v);
    return times > 0;
}

/* What callers in the file pass is a demonstration at times: then it says little about the sizes that matter. True:
 * theirs are not taken. */
static bool too_little(struct rg__load *l, const bool *need)
{
    bool any = false;
    int n = l->p->n_size_params;
    int64_t *v = rg_xcalloc((size_t)n + 1, sizeof *v);
    for (int k = 0; k < l->n_called; k++) any |= called(l, k) && need[k];
    memcpy(v, l->p->sizes[0].values, (size_t)n * sizeof *v);
    struct shrinks s;
    note_shrinks(l, 0, &s);
    join_unset(l, need, &s, v);
    shrinks_free(&s);
    double w = any && !l->b.verbatim ? amount(l, v) : -1;
    free(v);
    if (w < 0 || w >= LITTLE || take_times(l, need) || w >= HARDLY) return false;
    for (int k = 0; k < l->n_called; k++) l->unset[k] |= called(l, k) && need[k];
    l->p->size_note = NULL;
    return true;
}

/* Takes what is proposed where nobody gave a size, and says so. */
static void take_proposed(struct rg__load *l, const bool *need)
{
    struct rg_problem *p = l->p;
    int n = p->n_size_params;
    int64_t *v = rg_xcalloc((size_t)n + 1, sizeof *v);
    memcpy(v, p->sizes[0].values, (size_t)n * sizeof *v);
    propose(l, need, v);
    if (l->n_guards && amount(l, v) < 0) { /* nothing gets past the door: as if it had none */
        l->n_guards = 0;
        memcpy(v, p->sizes[0].values, (size_t)n * sizeof *v);
        propose(l, need, v);
    }
    struct rg_buf names = RG_BUF_INIT, option = RG_BUF_INIT;
    for (int k = 0; k < n; k++) {
        const struct rg_param *q = &p->params[p->size_params[k]];
        bool found = l->b.origins[p->size_params[k]].layout == RG__REACH; /* follows from the others */
        if (rg_size_follows(q) || found || (l->unset[k] && !need[k])) {
            l->unset[k] = l->unset[k] && !q->follows;
            continue;
        }
        rg_buf_printf(&option, "%s%s=%lld", option.len ? "," : "", rg_param_shown(q), (long long)v[k]);
        if (!l->unset[k]) continue;
        rg_buf_printf(&names, "%s%s=%lld", names.len ? ", " : "", rg_param_shown(q), (long long)v[k]);
        for (int s = 0; s < p->n_sizes; s++) p->sizes[s].values[k] = v[k];
        p->params[p->size_params[k]].proposed = true;
        l->unset[k] = false;
    }
    p->size_note = rg_arena_printf(&p->arena, "%s%s%s, as nobody said what to time (--size %s)%s",
                                   p->size_note ? p->size_note : "", p->size_note ? "; " : "", names.data, option.data,
                                   l->o->halvings ? "; no larger, as the C takes longer than its loops say" : "");
    p->size_halvings = l->o->halvings;
    rg__reach_sizes_again(l, need);
    rg_buf_release(&names);
    rg_buf_release(&option);
    free(v);
}

enum rg_status rg__settle_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    rg__entry_guards(l);
    bool *need = rg__sizes_needed(l), lacking = too_little(l, need);
    l->defaulted = rg_arena_alloc(&p->arena, (size_t)p->n_size_params + 1);
    for (int k = 0; k < p->n_size_params; k++) {
        if (!l->unset[k] || rg_size_follows(&p->params[p->size_params[k]])) continue;
        lacking |= need[k];
        l->defaulted[k] = !need[k];
    }
    if (lacking) take_proposed(l, need);
    rg__fixed_factors(l);
    l->bounds = rg_arena_alloc(&p->arena, (size_t)(p->n_size_params + 1) * sizeof *l->bounds);
    for (int k = 0; k < p->n_size_params; k++) { /* of a threshold 1 lets nearly everything through, or nothing */
        const struct rg_param *q = &p->params[p->size_params[k]];
        const bool threshold =
            l->defaulted[k] && q->input.kind == RG_INPUT_DEFAULT && rg__is_threshold(l->t, p->size_params[k], false);
        l->bounds[k] = threshold ? rg__bounds_places(l, p->size_params[k]) : -1;
        for (int s = 0; s < p->n_sizes && threshold; s++)
            p->sizes[s].values[k] = l->bounds[k] >= 0 ? p->sizes[s].values[l->bounds[k]] : LIMIT;
    }
    for (int k = 0; k < p->n_size_params; k++)
        for (int s = 0; s < p->n_sizes && l->defaulted[k] && rg__fixed_value(l, k, 3); s++)
            p->sizes[s].values[k] = rg__fixed_value(l, k, 3);
    for (int k = 0; k < p->n_size_params; k++)
        for (int s = 0; s < p->n_sizes && l->defaulted[k]; s++) rg__meet_guards(l, k, p->sizes[s].values);
    enum rg_status st = RG_OK;
    for (int s = 0; s < p->n_sizes && st == RG_OK; s++) st = rg_problem_derive(p, p->sizes[s].values, l->err);
    free(need);
    return st;
}
