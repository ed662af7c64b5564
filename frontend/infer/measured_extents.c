/* Extents off a run: the product of sizes that is as long as the user's C was seen to go along an array, at every size
 * that was tried. */
#include "frontend/infer/infer.h"
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 3, MOST_TIMES = 4, FEW = 3 /* sizes that say anything, at least */ };

struct product {           /* times * (f[0] + more[0]) * ..., halved where it says so */
    int n, f[FACTORS];     /* into problem->size_params, none less than the one before it */
    int more[FACTORS];     /* -1, 0 or 1 */
    int64_t times, number; /* number > 0: that, and no product */
    bool halved;           /* n * (n + 1) / 2: a packed triangle */
    bool parts;            /* ceil_div(f[0], f[1]): a number of pieces; one more with more[0] */
};

struct fit {
    const struct rg_problem *p;
    const struct rg_frontend_reach *reach;
    int n;
    struct product best;
    double cost;       /* of the best: elements at all sizes together */
    int exact;         /* sizes at which the best is as long as was seen */
    int close;         /* or longer by less than a row */
    bool any, several; /* several: another is as long everywhere */
};

/* < 0: it overflows, or a size is not positive. */
static int64_t value(const struct fit *f, const struct product *c, int size)
{
    const int64_t *v = f->p->sizes[size].values;
    int64_t x = c->number > 0 ? c->number : c->times;
    if (c->parts) return v[c->f[1]] > 0 ? (v[c->f[0]] + v[c->f[1]] - 1) / v[c->f[1]] + c->more[0] : -1;
    for (int i = 0; i < c->n; i++)
        if (v[c->f[i]] < 0 || __builtin_mul_overflow(x, v[c->f[i]] + c->more[i], &x)) return -1;
    return c->halved ? x / 2 : x;
}

static int64_t longest_row(const struct fit *f, int size)
{
    int64_t most = 1;
    for (int k = 0; k < f->p->n_size_params; k++)
        if (f->p->sizes[size].values[k] > most) most = f->p->sizes[size].values[k];
    return most;
}

/* Is it the same at every size that was tried? Then it is no length, but a mode or a width of something else. */
static bool stays(const struct fit *f, int k)
{
    for (int i = 1; i < f->n; i++)
        if (f->p->sizes[f->reach[i].size].values[k] != f->p->sizes[f->reach[0].size].values[k]) return false;
    return true;
}

/* Rows and their pitch go together in one order alone: a product need not hold where sizes fall in that of the
 * parameters. */
static bool counts(const struct rg_frontend_reach *r, bool product)
{
    return !(r->falling && product);
}

static void consider(struct fit *f, const struct product *c)
{
    double cost = 0;
    int exact = 0, close = 0;
    for (int i = 0; i < f->n; i++) {
        const int64_t v = value(f, c, f->reach[i].size), r = f->reach[i].elements;
        if (!counts(&f->reach[i], c->n > 1 && !c->parts)) {
            exact++, close++;
            continue;
        }
        if (v < r) return;
        if (!r) continue; /* nothing is touched there: it may be as long as it likes */
        exact += v == r;
        close += v == r || (2 * r > v && v - r < longest_row(f, f->reach[i].size));
        cost += (double)v;
    }
    if (f->any && cost == f->cost) f->several = true;
    if (f->any && cost >= f->cost) return;
    f->best = *c;
    f->cost = cost;
    f->exact = exact;
    f->close = close;
    f->any = true;
    f->several = false;
}

static void consider_shifted(struct fit *f, struct product *c, int at)
{
    static const int shifts[] = {0, 1, -1};
    if (at == c->n) {
        consider(f, c);
        return;
    }
    for (int i = 0; i < (c->n == 1 ? 3 : c->n == 2 ? 2 : 1); i++) {
        c->more[at] = shifts[i];
        consider_shifted(f, c, at + 1);
    }
    c->more[at] = 0;
}

static void consider_products(struct fit *f, struct product *c, int from)
{
    for (c->times = 1; c->n && c->times <= MOST_TIMES; c->times++) consider_shifted(f, c, 0);
    c->times = 1;
    if (c->n == FACTORS) return;
    for (int k = from; k < f->p->n_size_params; k++) {
        if (f->p->params[f->p->size_params[k]].derived || stays(f, k)) continue;
        c->f[c->n++] = k;
        consider_products(f, c, k);
        c->n--;
    }
}

static void consider_triangles(struct fit *f)
{
    for (int k = 0; k < f->p->n_size_params; k++)
        for (int below = -1; below <= 0; below++) { /* n * (n + 1) / 2, and without the diagonal */
            struct product c = {.n = 2, .f = {k, k}, .more = {below, below + 1}, .times = 1, .halved = true};
            if (!f->p->params[f->p->size_params[k]].derived && !stays(f, k)) consider(f, &c);
        }
}

static void consider_parts(struct fit *f)
{
    for (int k = 0; k < f->p->n_size_params; k++)
        for (int j = 0; j < f->p->n_size_params; j++)
            for (int more = 0; more < 2; more++) {
                struct product c = {.n = 2, .f = {k, j}, .more = {more}, .times = 1, .parts = true};
                if (k != j && !stays(f, k) && !stays(f, j) && !f->p->params[f->p->size_params[k]].derived &&
                    !f->p->params[f->p->size_params[j]].derived)
                    consider(f, &c);
            }
}

static const char *shown(const struct fit *f, int k)
{
    return rg_param_shown(&f->p->params[f->p->size_params[k]]);
}

static const char *printed(const struct fit *f, struct rg_arena *a)
{
    const struct product *c = &f->best;
    struct rg_buf b = RG_BUF_INIT;
    if (c->parts)
        return rg_arena_printf(a, "(%s + %s - 1)/%s%s", shown(f, c->f[0]), shown(f, c->f[1]), shown(f, c->f[1]),
                               c->more[0] ? " + 1" : "");
    if (c->number > 0) rg_buf_printf(&b, "%lld", (long long)c->number);
    if (c->times > 1) rg_buf_printf(&b, "%lld", (long long)c->times);
    for (int i = 0; i < c->n; i++) {
        const char *name = rg_param_shown(&f->p->params[f->p->size_params[c->f[i]]]);
        if (c->number > 0) break;
        if (b.len) rg_buf_char(&b, '*');
        if (c->more[i])
            rg_buf_printf(&b, "(%s %c 1)", name, c->more[i] < 0 ? '-' : '+');
        else
            rg_buf_str(&b, name);
    }
    if (c->halved) rg_buf_str(&b, "/2");
    const char *text = rg_arena_strdup(a, b.data);
    rg_buf_release(&b);
    return text;
}

/* Does the C stay inside an extent that is one size, by the name that people know? False: it is none. */
static bool holds_size(const struct fit *f, const char *proposed)
{
    for (int k = 0; k < f->p->n_size_params; k++) {
        if (strcmp(rg_param_shown(&f->p->params[f->p->size_params[k]]), proposed) != 0) continue;
        for (int i = 0; i < f->n; i++)
            if (f->p->sizes[f->reach[i].size].values[k] < f->reach[i].elements) return false;
        return true;
    }
    return false;
}

/* With the names that expressions have of sizes: `g.nx` is g_nx. */
static const char *with_names(const struct fit *f, const char *text, struct rg_arena *a)
{
    for (int k = 0; k < f->p->n_size_params; k++) {
        const struct rg_param *q = &f->p->params[f->p->size_params[k]];
        const char *name = rg_param_shown(q), *at;
        while (strcmp(name, q->name) != 0 && !strstr(q->name, name) && (at = strstr(text, name)))
            text = rg_arena_printf(a, "%.*s%s%s", (int)(at - text), text, q->name, at + strlen(name));
    }
    return text;
}

/* Does the C stay inside an extent that is proposed, and come near its end at half of the sizes? What is far longer
 * than anybody goes may be longer than the memory that callers have. */
static bool holds(const struct fit *f, const char *proposed, struct rg_arena *a)
{
    const double near_share = 0.45;
    const struct rg_expr *e;
    int near = 0, told = 0;
    if (rg_expr_parse_all(a, with_names(f, proposed, a), &e, NULL) != RG_OK) return false;
    for (int i = 0; i < f->n; i++) {
        struct rg_problem_env env;
        const int64_t r = f->reach[i].elements;
        int64_t v;
        if (!counts(&f->reach[i], strchr(proposed, '*') != NULL)) continue;
        rg_problem_env_init(&env, f->p, &f->p->sizes[f->reach[i].size]);
        if (rg_expr_eval(e, &env.env, &v, NULL) != RG_OK || v < r) return false;
        told += r > 0;
        near += r > 0 && (double)r >= near_share * (double)v;
    }
    return 2 * near >= told;
}

const char *rg_frontend_extent(const struct rg_problem *p, const struct rg_frontend_reach *reach, int n,
                               const char *proposed, bool stated, int64_t length, struct rg_arena *arena)
{
    struct fit f = {.p = p, .reach = reach, .n = n};
    struct product c = {.times = 1};
    int sizes = 0;
    int64_t most = 0;
    bool led = proposed && strchr(proposed, '*'); /* what the code multiplies with; else it is nothing but a guess */
    bool alike = true;                            /* where anything is touched, as many elements are */
    for (int i = 0; i < n; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++) seen = seen || reach[k].size == reach[i].size;
        sizes += !seen && reach[i].elements > 0;
        led = led && (!reach[i].elements || reach[i].elements > length / 4);
        alike = alike && (!most || !reach[i].elements || reach[i].elements == most);
        if (reach[i].elements > most) most = reach[i].elements;
    }
    if (sizes < FEW) return NULL;
    if (stated && holds_size(&f, proposed)) return proposed;
    if (led && most > length / 4 * 3)
        return proposed;     /* data lead there: as far as they are drawn to fit, whatever the sizes are */
    if (alike && most > 1) { /* the first one alone: what came behind was never asked for */
        c.number = most;
        consider(&f, &c);
        c.number = 0;
    }
    consider_products(&f, &c, 0);
    consider_triangles(&f);
    consider_parts(&f);
    int told = 0;
    for (int i = 0; i < n; i++) told += reach[i].elements > 0 || !counts(&reach[i], f.best.n > 1 && !f.best.parts);
    const bool alone = f.any && !f.several, rows = f.best.n > 1 && !f.best.parts; /* the last one may be shorter */
    const bool plain = f.best.n == 1 && f.best.times == 1 && !f.best.more[0];     /* but where a size is odd, say */
    if (alone && (f.exact == told || (plain && f.close == told && 2 * f.exact >= told))) return printed(&f, arena);
    if (proposed && holds(&f, proposed, arena)) return proposed;
    return alone && rows && f.close == told ? printed(&f, arena) : NULL;
}
