/* Verify sizes by counted work: a tiny one, an odd and prime one, one with full tiles of 32 and a rest, and where the
 * timed size is larger, one as large as about 2e8 accesses allow. Only parameters that are extents or trip counts vary.
 */
#include "frontend/infer/infer.h"
#include "ir/range.h"
#include "ir/access_walk.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 20000, PART = 16 }; /* of all elements: a list of so many is full before the end */
static const double most_on_sim = 4e6, most_verified = 2e8, max_bytes = 1 << 30, many_elements = 1e5;

struct plan {
    struct rg__load *l;
    int n;
    bool *varies, *time_like, *threshold, *room;
    int64_t *timed;
    double sim_work, verify_work; /* accesses, at most; less where the C takes longer than its loops say */
    double timed_accesses;
    bool set_up;    /* what sets the function up does so at the timed size: it is to do so at the others */
    bool past_door; /* sizes at which the function turns back are passed over */
    bool as_made;   /* they are what the program makes: others belong to no inputs */
    int tries;
};

/* Variables that some subscript mentions. */
static void note_subscripts(void *arg, const struct rg__visit *v)
{
    bool *used = arg;
    for (int d = 0; d < v->node->n; d++)
        for (int i = 0; i < v->range->n_loops; i++)
            if (rg__c_mentions_var(v->node->kid[d], v->range->loops[i]->var)) used[v->range->loops[i]->var] = true;
}

struct bounds_of {
    const struct rg_ctree *t;
    const bool *used;
    bool *in_extent, *in_space, *in_time;
};

static void note_bound(struct bounds_of *b, const struct rg_cnode *e, bool space)
{
    if (!e) return;
    if (e->kind == RG_C_VAR && e->array < 0 && b->t->vars[e->var].kind == RG_CVAR_PARAM)
        (space ? b->in_space : b->in_time)[e->var] = true;
    for (int i = 0; i < e->n; i++) note_bound(b, e->kid[i], space);
}

/* `change > tol && round + 1 < most`: what it says of the loop's variable. */
static void note_part(struct bounds_of *b, const struct rg_cnode *loop, const struct rg_cnode *part)
{
    if (part->op == RG_COP_AND)
        for (int i = 0; i < 2; i++) note_part(b, loop, part->kid[i]);
    else if (rg__c_mentions_var(part, loop->var))
        note_bound(b, part, b->used[loop->var]);
}

static void note_flag(struct bounds_of *b, const struct rg_cnode *loop, const struct rg_cnode *n)
{
    const struct rg_cnode *value = rg__flag_value(loop, n);
    if (value) note_part(b, loop, value);
    for (int i = 0; i < n->n && !rg__c_is_expr(n); i++)
        if (n->kid[i]) note_flag(b, loop, n->kid[i]);
}

/* Does an iteration leave memory to the next? A loop that leaves none (paths of a simulation, keys that are tried) only
 * sums up or picks: it repeats nothing, its iterations are what there is to do. */
static bool leaves_memory(const struct rg_ctree *t, const struct rg_cnode *body)
{
    if (rg__mentions_kind(body, RG_C_VERBATIM)) return true;
    for (int a = 0; a < t->n_arrays; a++)
        if (rg__writes_array(body, a) && !rg__c_declares_array(body, a)) return true;
    return false;
}

static bool note_loop(void *arg, struct rg_cnode *n)
{
    struct bounds_of *b = arg;
    if (n->kind == RG_C_LOOP) {
        bool space = b->used[n->var] || !leaves_memory(b->t, n->kid[2]);
        for (int i = 0; i < 2; i++) note_bound(b, n->kid[i], space);
        if (n->n > 3) note_flag(b, n, n->kid[2]);
    }
    if (n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO)
        note_bound(b, n->kid[n->kind == RG_C_WHILE ? 0 : 1], true);
    return true;
}

static void note_extent(void *arg, const char *name)
{
    struct bounds_of *b = arg;
    for (int i = 0; i < b->t->n_vars; i++)
        if (b->t->vars[i].kind == RG_CVAR_PARAM && !strcmp(b->t->vars[i].name, name)) b->in_extent[i] = true;
}

struct mention {
    const char *name;
    bool found;
};

static void note_mention(void *arg, const char *name)
{
    struct mention *m = arg;
    m->found |= !strcmp(m->name, name);
}

/* Which parameters vary, and which only repeat the work. */
static void classify(struct plan *s)
{
    struct rg_problem *p = s->l->p;
    struct rg_ctree *t = s->l->t;
    size_t n = (size_t)t->n_vars + 1;
    bool *used = rg_xcalloc(n, 1), *flags = rg_xcalloc(3 * n, 1);
    struct bounds_of b = {t, used, flags, flags + n, flags + 2 * n};
    struct rg__given *given = rg__given_of(t, p);
    rg__each_access(t, t->root, given, note_subscripts, used);
    rg__c_walk(t->root, note_loop, &b);
    for (int i = 0; i < p->n_params; i++)
        for (int d = 0; d < p->params[i].n_dims; d++) rg_expr_names(p->params[i].dims[d], note_extent, &b);
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < t->n_vars; i++) {
            if (t->vars[i].kind != RG_CVAR_PARAM || t->vars[i].param != p->size_params[k]) continue;
            s->varies[k] = b.in_extent[i] || b.in_space[i] || b.in_time[i];
            s->time_like[k] = b.in_time[i] && !b.in_extent[i] && !b.in_space[i];
        }
    for (int k = s->n - 1; k >= 0; k--) { /* what a computed one varies with varies in its place */
        const struct rg_param *q = &p->params[p->size_params[k]];
        if (!rg_size_follows(q)) continue;
        for (int j = 0; s->varies[k] && j < s->n; j++) {
            struct mention m = {p->params[p->size_params[j]].name, false};
            rg_expr_names(q->derived ? q->derived : q->follows, note_mention, &m);
            if (m.found && !s->time_like[k]) s->time_like[j] = false;
            s->varies[j] |= m.found;
        }
        s->varies[k] = false;
    }
    rg__given_free(given);
    free(flags);
    free(used);
}

static bool is_prime(int64_t v)
{
    if (v < 4) return v > 1;
    if (v % 2 == 0) return false;
    for (int64_t d = 3; d * d <= v; d += 2)
        if (v % d == 0) return false;
    return true;
}

static int64_t prime_below(int64_t v)
{
    while (v > 2 && !is_prime(v)) v--;
    return v < 1 ? 1 : v;
}

/* Loops that data end count as a few trips. Where that is far less than there are elements, which are filled, copied
 * and compared at each size, those say what it costs. */
static double at_least(const struct plan *s, const int64_t *v, double accesses)
{
    const struct rg_sizes z = {.values = (int64_t *)(uintptr_t)v};
    double elements = 0;
    for (int i = 0; i < s->l->p->n_params; i++) {
        int64_t n;
        if (s->l->p->params[i].kind == RG_PARAM_ARRAY && rg_problem_elements(s->l->p, i, &z, &n, NULL) == RG_OK)
            elements += (double)n;
    }
    return elements > many_elements && elements > 4 * accesses ? elements : accesses;
}

/* What follows from the others: members that go with sizes, computed sizes. */
static bool follows(const struct plan *s, int64_t *v)
{
    rg__tie_sizes(s->l, v);
    return rg_problem_derive(s->l->p, v, NULL) == RG_OK;
}

/* Does the function do next to nothing: turn back at the door (`if (side < 3) return -1;`)? */
static bool turns_back(const struct plan *s, int64_t *v)
{
    enum { NOTHING = 8, MUCH = 10000 };
    return s->timed_accesses > MUCH && follows(s, v) && rg__count_work(s->l->p, s->l->t, v).accesses < NOTHING;
}

static bool passed_over(const struct plan *s, int64_t *v)
{
    return s->past_door && turns_back(s, v);
}

static double work_of(const struct plan *s, int64_t *v)
{
    if (!follows(s, v)) return 1e30;
    return at_least(s, v, rg__count_work(s->l->p, s->l->t, v).accesses);
}

static bool acceptable(const struct plan *s, int64_t *v)
{
    struct rg_problem *p = s->l->p;
    struct rg_sizes z = {.values = v};
    if (!follows(s, v) || (s->set_up && !rg__set_up_at(s->l, v))) return false;
    for (int k = 0; k < s->n; k++) /* they bound loops */
        if (p->params[p->size_params[k]].derived && v[k] < 1) return false;
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, &z);
    for (int i = 0; i < p->n_require; i++) {
        int64_t ok;
        if (rg_expr_eval(p->require[i], &env.env, &ok, NULL) != RG_OK || !ok) return false;
    }
    double bytes = 0;
    for (int i = 0; i < p->n_params; i++) {
        int64_t n;
        if (p->params[i].kind != RG_PARAM_ARRAY) continue;
        if (rg_problem_elements(p, i, &z, &n, NULL) != RG_OK) return false;
        bytes += (double)n * (double)p->params[i].elem_bytes;
    }
    return bytes <= max_bytes;
}

/* Values near v that conditions may want. */
static int candidates(const struct plan *s, int k, int64_t v, int64_t *out)
{
    int n = 0;
    out[n++] = v;
    if (rg_size_follows(&s->l->p->params[s->l->p->size_params[k]])) return n;
    if (!s->varies[k]) { /* an offset, a mode: the user's value first */
        for (int64_t x = 0; x <= 3; x++) out[n++] = x;
        return n;
    }
    int64_t power = 1; /* FFTs */
    while (power <= v / 2) power *= 2;
    out[n++] = power;
    for (int64_t m = 2; m <= 256; m *= 2) {
        if (v - v % m > 0) out[n++] = v - v % m;
        out[n++] = v - v % m + m;
    }
    for (int64_t d = 1; d <= 4; d++) {
        if (v > d) out[n++] = v - d;
        out[n++] = v + d;
    }
    for (int64_t d = 3; d <= 7; d += 2) out[n++] = v - v % d + d;
    out[n++] = s->timed[k];
    out[n++] = 1;
    for (int j = 0; j < s->n && n < 60; j++) /* equal to another parameter, one more, one less, twice */
        if (j != k) out[n++] = -1 - j;
    return n;
}

static bool repair(struct plan *s, int64_t *v, int k)
{
    if (s->tries-- <= 0) return false;
    if (k == s->n) return acceptable(s, v);
    int64_t options[64], base = v[k];
    int n = candidates(s, k, base, options);
    for (int i = 0; i < n; i++) {
        if (options[i] < 0 && s->varies[k]) {
            int j = (int)(-1 - options[i]);
            if (j >= k) continue;
            const int64_t near[] = {v[j], v[j] + 1, v[j] - 1, 2 * v[j]};
            for (int m = 0; m < 4; m++) {
                v[k] = near[m];
                if (v[k] > 0 && repair(s, v, k + 1)) return true;
            }
            continue;
        }
        v[k] = options[i];
        if (repair(s, v, k + 1)) return true;
    }
    v[k] = base;
    return false;
}

static bool known_size(const struct rg_problem *p, const int64_t *v)
{
    for (int i = 0; i < p->n_sizes; i++)
        if (!memcmp(p->sizes[i].values, v, (size_t)p->n_size_params * sizeof *v)) return true;
    return false;
}

/* What is larger at the timed size stays larger: more rows than columns, a filter inside its image. */
static void keep_order(const struct plan *s, int64_t *v)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (s->varies[i] && s->varies[j] && !s->time_like[i] && !s->time_like[j] && s->timed[i] > s->timed[j] &&
                v[i] < v[j]) {
                int64_t x = v[i];
                v[i] = v[j] < s->timed[i] ? v[j] : s->timed[i];
                v[j] = x;
            }
}

/* Of the longest array. */
static int64_t most_elements(const struct plan *s, int64_t *v)
{
    const struct rg_sizes z = {.values = v};
    int64_t most = 1, n;
    for (int i = 0; i < s->l->p->n_params; i++)
        if (s->l->p->params[i].kind == RG_PARAM_ARRAY && rg_problem_elements(s->l->p, i, &z, &n, NULL) == RG_OK &&
            n > most)
            most = n;
    return most;
}

static bool add(struct plan *s, int64_t *v, double limit)
{
    struct rg_problem *p = s->l->p;
    s->tries = TRIES;
    if (!s->as_made) keep_order(s, v);
    for (int k = 0; k < s->n; k++) { /* nobody chose these: other values must be right as well */
        static const int64_t others[] = {2, 3, 1}, limits[] = {2, 12, 6, 50, 25};
        if (s->as_made && rg__program_binds(s->l, p->size_params[k])) continue;
        if (s->l->defaulted[k] && rg__fixed_value(s->l, k, 1))
            v[k] = rg__fixed_value(s->l, k, (int)others[(p->n_sizes + k) % 3]);
        else if (s->l->defaulted[k] && s->l->bounds[k] >= 0)
            v[k] = v[s->l->bounds[k]] - (p->n_sizes % 4 ? 0 : v[s->l->bounds[k]] / PART); /* some lie beyond it once */
        else if (s->l->defaulted[k] && s->threshold[k])
            v[k] = limits[(p->n_sizes - 1) % 5];
        else if (s->l->defaulted[k])
            v[k] = p->params[p->size_params[k]].elem == RG_BOOL ? p->n_sizes % 2 == 0 : others[(p->n_sizes + k) % 3];
    }
    for (int k = 0; k < s->n && !s->as_made; k++) {
        const int64_t all = most_elements(s, v); /* the sizes that tell how long the C takes have room for all */
        if (s->room[k]) v[k] = p->n_sizes == 1 ? 1 : p->n_sizes % 3 == 1 ? all / PART + 1 : all;
    }
    for (int k = 0; k < s->n; k++)
        if (s->l->defaulted[k] && !s->as_made) rg__meet_guards(s->l, k, v);
    if (!acceptable(s, v) && (s->as_made || !repair(s, v, 0))) return false;
    if (known_size(p, v)) return false;
    double work = work_of(s, v);
    if (work > limit || passed_over(s, v)) return false;
    struct rg_sizes *grown = rg_arena_alloc(&p->arena, (size_t)(p->n_sizes + 1) * sizeof *grown);
    memcpy(grown, p->sizes, (size_t)p->n_sizes * sizeof *grown);
    struct rg_sizes *z = &grown[p->n_sizes++];
    z->values = rg_arena_alloc(&p->arena, (size_t)(s->n + 1) * sizeof *z->values);
    memcpy(z->values, v, (size_t)s->n * sizeof *v);
    z->work = work;
    z->timed = false;
    z->verify = true;
    z->on_sim = work <= s->sim_work;
    z->chosen = true;
    p->sizes = grown;
    return true;
}

/* Extents in the proportions of the timed size (softened), scaled so that the work stays below the limit; `shape` turns
 * a wish into a prime, or a multiple of 32. */
static void scaled(struct plan *s, double limit, int64_t (*shape)(int64_t v, int k), int64_t steps, int64_t *out)
{
    double mean = 0;
    int n = 0;
    for (int k = 0; k < s->n; k++)
        if (s->varies[k] && !s->time_like[k] && s->timed[k] > 16) mean += log((double)s->timed[k]), n++;
    mean = n ? exp(mean / n) : 1;
    double lo = 1, hi = 1e9;
    int64_t *v = rg_xcalloc((size_t)s->n + 1, sizeof *v);
    memcpy(out, s->timed, (size_t)s->n * sizeof *out);
    for (int round = 0; round < 40; round++) {
        double scale = sqrt(lo * hi);
        for (int k = 0; k < s->n; k++) {
            v[k] = s->timed[k];
            if (!s->varies[k]) continue;
            if (s->time_like[k]) {
                if (v[k] > steps) v[k] = steps;
                continue;
            }
            if (v[k] <= 16) continue; /* a filter's width stays */
            double ratio = sqrt((double)v[k] / mean);
            if (ratio < 0.25) ratio = 0.25;
            if (ratio > 4) ratio = 4;
            double x = scale * ratio;
            if (x > (double)s->timed[k]) x = (double)s->timed[k];
            v[k] = shape(x < 2 ? 2 : (int64_t)x, k);
            if (v[k] > s->timed[k]) v[k] = s->timed[k];
        }
        if (work_of(s, v) <= limit) {
            if (!passed_over(s, v)) memcpy(out, v, (size_t)s->n * sizeof *out);
            lo = scale;
        } else {
            if (round == 0) memcpy(out, v, (size_t)s->n * sizeof *out);
            hi = scale;
        }
    }
    free(v);
}

static int64_t shape_prime(int64_t v, int k)
{
    for (int i = 0; i < k % 4; i++) v = prime_below(v) - 1; /* different extents differ */
    v = prime_below(v);
    return v < 3 ? 3 : v;
}

static int64_t shape_aligned(int64_t v, int k)
{
    return v < 32 ? v : v - v % 32;
}
static int64_t shape_ragged(int64_t v, int k)
{
    static const int64_t rest[] = {1, 5, 31, 17};
    return v < 34 ? (v | 1) : v - v % 32 - 32 + rest[k % 4];
}

/* Something does not fit into it yet: a border, a filter. */
static bool is_empty(const struct plan *s, int64_t *v)
{
    if (!follows(s, v)) return true;
    for (int k = 0; k < s->n; k++)
        if (s->l->p->params[s->l->p->size_params[k]].derived && v[k] < 1) return true;
    return rg__count_work(s->l->p, s->l->t, v).empty;
}

/* Those that the file's own program makes (emit/program.h): what belongs together stays so. */
static void program_sizes(struct plan *s)
{
    enum { MOST = 4, STEPS = 3 };
    struct rg_problem *p = s->l->p;
    const struct rg__program *g = &s->l->program;
    int64_t *v = rg_xcalloc((size_t)s->n + 1, sizeof *v);
    s->as_made = true;
    for (int pass = 0, n = 0; pass < 4; pass++) { /* small ones; else those divided most, or larger; the largest */
        const double some = fmin(6e5, s->verify_work), most[] = {some, some, s->sim_work, s->verify_work};
        if ((pass == 1 || pass == 2) && n) continue;
        for (int q = 0, more = pass > 1 ? 1 : MOST; q < g->n_rows && more; q++) {
            int r = pass == 3 ? q : g->n_rows - 1 - q;
            if (pass == 0 && g->rows[r].by > RG__PROGRAM_SMALL) continue;
            for (int k = 0; k < s->n; k++) {
                int i = p->size_params[k];
                v[k] = s->timed[k];
                if (rg__program_binds(s->l, i))
                    v[k] = g->rows[r].values[i];
                else if (s->time_like[k] && v[k] > STEPS)
                    v[k] = STEPS;
            }
            if (turns_back(s, v)) continue; /* what the program asks for goes on */
            bool added = add(s, v, most[pass]);
            n += added;
            more -= added;
        }
    }
    s->as_made = false;
    free(v);
}

/* The smallest at which the function does something: a border or a filter does not fit into what is smaller, or it
 * turns back at it (true: small ones have then little work or much). */
static bool least(struct plan *s, int64_t *v)
{
    static const int64_t tiny[] = {3, 5, 2, 7, 4, 1};
    for (int k = 0, j = 0; k < s->n; k++) {
        v[k] = s->timed[k];
        if (!s->varies[k]) continue;
        int64_t want = s->time_like[k] ? 2 : tiny[j++ % 6];
        if (s->timed[k] > 16 || s->time_like[k] || want < s->timed[k]) v[k] = want < s->timed[k] ? want : s->timed[k];
    }
    bool back = false;
    for (int grow = 0; grow < 200; grow++) {
        bool now = passed_over(s, v);
        if (!now && !is_empty(s, v)) break;
        back |= now;
        for (int k = 0; k < s->n; k++) {
            int64_t by = grow < 30 ? 1 : 1 + v[k] / 8;
            if (s->varies[k] && !s->time_like[k]) v[k] = v[k] + by < s->timed[k] ? v[k] + by : s->timed[k];
        }
    }
    return back;
}

static void by_work(struct plan *s)
{
    int64_t *v = rg_xcalloc((size_t)s->n + 1, sizeof *v);
    add(s, v, least(s, v) ? s->verify_work : s->sim_work);
    scaled(s, fmin(1.5e5, s->verify_work), shape_prime, 3, v);
    add(s, v, s->sim_work);
    scaled(s, fmin(6e5, s->verify_work), shape_ragged, 2, v);
    add(s, v, s->sim_work);
    scaled(s, fmin(6e5, s->verify_work), shape_aligned, 2, v);
    add(s, v, s->sim_work);
    bool small = false;
    for (int i = 0; i < s->l->p->n_sizes; i++) small |= s->l->p->sizes[i].on_sim;
    if (!small) { /* arrays of constant size: the fewest rounds there are */
        least(s, v);
        add(s, v, s->verify_work);
    }
    if (s->l->p->sizes[0].work > 4 * s->sim_work) {
        scaled(s, 0.9 * s->verify_work, shape_prime, 4, v);
        add(s, v, s->verify_work);
    }
    free(v);
}

void rg__verify_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct plan s = {.l = l, .n = p->n_size_params};
    size_t n = (size_t)s.n + 1;
    s.verify_work = ldexp(most_verified, -l->o->verify_halvings);
    s.sim_work = fmin(most_on_sim, s.verify_work);
    p->verify_halvings = l->o->verify_halvings;
    s.varies = rg_xcalloc(n, 1);
    s.time_like = rg_xcalloc(n, 1);
    s.threshold = rg_xcalloc(n, 1);
    s.timed = rg_xcalloc(n, sizeof *s.timed);
    memcpy(s.timed, p->sizes[0].values, (size_t)s.n * sizeof *s.timed);
    s.set_up = rg__set_up_at(l, s.timed);
    for (int i = 0; i < p->n_sizes; i++) { /* the user's own */
        struct rg_sizes *z = &p->sizes[i];
        struct rg__count c = rg__count_work(p, l->t, z->values);
        z->work = at_least(&s, z->values, c.accesses);
        z->on_sim = z->work <= s.sim_work;
        z->verify = z->work <= s.verify_work;
        if (i == 0) p->flops = c.flops, s.timed_accesses = c.accesses;
    }
    classify(&s);
    s.room = rg_xcalloc(n, 1);
    for (int k = 0; k < s.n; k++) {
        const struct rg_param *q = &p->params[p->size_params[k]];
        s.room[k] =
            !s.varies[k] && q->proposed && rg_scalar_bytes(q->elem) >= 4 && rg__is_capacity(l->t, p->size_params[k]);
    }
    for (int k = 0; k < s.n; k++) s.threshold[k] = !s.varies[k] && rg__is_threshold(l->t, p->size_params[k], false);
    bool any = false;
    for (int k = 0; k < s.n; k++) any |= s.varies[k];
    if (l->program.n_rows) {
        program_sizes(&s);
    } else if (any) {
        const int before = p->n_sizes;
        by_work(&s);
        bool says = false;
        int back = 0;
        for (int i = before; i < p->n_sizes; i++) {
            bool now = turns_back(&s, p->sizes[i].values);
            back += now;
            says = says || (!now && p->sizes[i].on_sim);
        }
        if (back > 1 ||
            (back && !says)) { /* one is enough to see that it does, and small ones say how long kernels take */
            p->n_sizes = before;
            s.past_door = true;
            by_work(&s);
        }
    }
    free(s.varies);
    free(s.time_like);
    free(s.threshold);
    free(s.room);
    free(s.timed);
}
