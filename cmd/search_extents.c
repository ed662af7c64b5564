/* Extents that neither the code nor the user says. Those proposed are taken; the C is run once with arrays far longer
 * than that, and how far it goes along them says which product of sizes they are. */
#include "cmd/search.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 1 << 17 }; /* elements: more than is reached at the sizes below */
enum { SMALL = 64 };

/* Sizes by their place among the parameters: all alike; each larger than the one before it, as the pitch of rows is
 * named behind their length; and each smaller, as that of pieces is. */
static int64_t size_at(int row, int k)
{
    static const int primes[] = {7, 11, 13, 17, 19, 23, 29, 31};
    switch (row) {
    case 0:
    case 1:
        return 8 << row;
    case 2:
        return k < 8 ? primes[k] : 31 + 2 * k;
    case 3:
        return 8 * (k + 3);
    case 4:
        return 12 + 8 * k;
    case 5:
        return k < 8 ? primes[7 - k] : 5;
    default:
        return k < 8 ? 8 * (10 - k) : 12;
    }
}

enum { FALLING = 5, ROWS = 7, FURTHER = 5 };

static bool is_given(const struct search_session *s, const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < s->o.sizes.n; i++)
        for (const char *x = s->o.sizes.items[i]; x && *x; x = strchr(x, ',') ? strchr(x, ',') + 1 : NULL) {
            x += strspn(x, " ");
            if (!strncmp(x, name, n) && x[n + strspn(x + n, " ")] == '=') return true;
        }
    return false;
}

/* What is 1 as nobody gave it is a mode, or a width of something; small numbers that the user gave stay. The others are
 * `times` as large: what works on blocks of 16 by 16 does nothing below that. */
static void small_sizes(struct search_session *s, int times, struct rg_strings *rows)
{
    const struct rg_problem *p = s->problem;
    for (int row = 0; row < ROWS; row++) {
        struct rg_buf b = RG_BUF_INIT;
        for (int k = 0, n = 0; k < p->n_size_params; k++) {
            const struct rg_param *q = &p->params[p->size_params[k]];
            if (q->derived) continue;
            int64_t was = p->sizes[0].values[k];
            static const int modes[ROWS] = {1, 1, 2, 3, 2, 1, 3};
            const bool stays = (was <= SMALL && is_given(s, rg_param_shown(q))) || q->elem == RG_BOOL, mode = was == 1;
            rg_buf_printf(&b, "%s%s=%lld", b.len ? "," : "", rg_param_shown(q),
                          (long long)(stays  ? was
                                      : mode ? modes[row]
                                             : times * size_at(row, n++)));
        }
        if (b.len) rg_strings_add(rows, rg_arena_strdup(&s->added, b.data));
        rg_buf_release(&b);
    }
}

struct reaches { /* by parameter */
    int n_params, *n, *cap;
    struct rg_frontend_reach **of;
};

static void reached(void *arg, int param, int size, int64_t elements)
{
    struct reaches *r = arg;
    if (param >= r->n_params) return;
    if (r->n[param] == r->cap[param]) {
        r->cap[param] = r->cap[param] ? 2 * r->cap[param] : 8;
        r->of[param] = rg_xrealloc(r->of[param], (size_t)r->cap[param] * sizeof **r->of);
    }
    r->of[param][r->n[param]++] = (struct rg_frontend_reach){size, elements, size >= FALLING && size < ROWS};
}

static void reaches_free(struct reaches *r)
{
    for (int i = 0; i < r->n_params; i++) free(r->of[i]);
    free(r->of);
    free(r->n);
    free(r->cap);
}

static int name_length(const char *item)
{
    return (int)strcspn(item, ":");
}

static int param_of(const struct rg_problem *p, const char *item)
{
    const size_t n = (size_t)name_length(item);
    for (int i = 0; i < p->n_params; i++) {
        const char *name = rg_param_shown(&p->params[i]);
        if (strlen(name) == n && !strncmp(name, item, n)) return i;
    }
    return -1;
}

void search_propose_extents(struct search_session *s, const struct rg_frontend_missing *m)
{
    s->assumed_from = s->o.extents.n;
    for (int i = 0; i < m->n; i++) rg_strings_add(&s->o.extents, m->items[i]);
    memcpy(s->stated, m->stated, sizeof s->stated);
    s->n_assumed = m->n;
}

void search_note_extents(struct search_session *s)
{
    struct rg_problem *p = s->problem;
    if (!s->n_assumed || !p) return;
    struct rg_buf b = RG_BUF_INIT;
    for (int i = 0; i < s->n_assumed; i++)
        rg_buf_printf(&b, "%s%s", i ? "; " : "", s->o.extents.items[s->assumed_from + i]);
    rg_buf_str(&b, s->measured ? ", as far as the C was seen to go" : ", as nobody said");
    for (int i = 0; i < s->n_assumed; i++)
        rg_buf_printf(&b, "%s--extent '%s'", i ? " " : " (", s->o.extents.items[s->assumed_from + i]);
    rg_buf_char(&b, ')');
    p->extent_note = rg_arena_strdup(&p->arena, b.data);
    rg_problem_rehash(p);
    rg_buf_release(&b);
}

/* At most of the small sizes nothing of it is touched: data lead past what there is of something else there. */
static bool seldom_touched(const struct rg_frontend_reach *r, int n)
{
    bool touched[ROWS] = {false};
    int sizes = 0;
    for (int i = 0; i < n; i++)
        if (r[i].elements > 0 && r[i].size < ROWS && !touched[r[i].size]) touched[r[i].size] = true, sizes++;
    return 2 * sizes < ROWS;
}

/* Those of the problem that is loaded, in which every one is LONG: how many were read off; -1: the C goes along one in
 * another way, -2: seldom anywhere. */
static int choose(struct search_session *s, const char *const *proposed, const struct reaches *r, const char **chosen)
{
    int n = 0;
    for (int i = 0; i < s->n_assumed; i++) {
        const int param = param_of(s->problem, proposed[i]), at = name_length(proposed[i]);
        const char *was = proposed[i] + at + 1, *is = NULL;
        chosen[i] = proposed[i];
        if (strchr(was, ',') || param < 0 || param >= r->n_params || !r->n[param]) continue;
        was += strspn(was, " ");
        is = rg_frontend_extent(s->problem, r->of[param], r->n[param], was, s->stated[i], LONG, &s->added);
        if (!is) return seldom_touched(r->of[param], r->n[param]) ? -2 : -1;
        chosen[i] = rg_arena_printf(&s->added, "%.*s: %s", at, proposed[i], is);
        n++;
    }
    return n;
}

static void take(struct search_session *s, const char *const *items)
{
    for (int i = 0; i < s->n_assumed; i++) s->o.extents.items[s->assumed_from + i] = items[i];
}

double search_look_s(const struct search_session *s)
{
    const double most_s = 10, share = 0.2; /* of the time there is */
    return s->o.time > 0 && share * s->o.time < most_s ? share * s->o.time : most_s;
}

/* The inputs that arrays get where the extents are those proposed, as a user would state them: they lead as far as that
 * is, and not into all of arrays that are far longer. */
static void fitting_inputs(struct search_session *s, const char *const *proposed, struct rg_strings *inputs)
{
    struct rg_error ignored = RG_ERROR_INIT;
    take(s, proposed);
    if (search_reload(s, &ignored) == RG_OK)
        for (int i = 0; i < s->problem->n_params; i++) {
            const struct rg_param *q = &s->problem->params[i];
            const size_t n = strlen(rg_param_shown(q));
            bool open = q->kind == RG_PARAM_ARRAY && q->origin == RG_ORIGIN_ARG && q->input.kind == RG_INPUT_UNIFORM;
            for (int k = 0; k < s->o.inputs.n && open; k++)
                open = strncmp(s->o.inputs.items[k], rg_param_shown(q), n) != 0 || s->o.inputs.items[k][n] != '=';
            if (open) rg_strings_add(inputs, rg_arena_printf(&s->added, "%s=%s", rg_param_shown(q), q->input.text));
        }
    rg_error_clear(&ignored);
}

/* How many extents were read off at small sizes, `times` as large; < 0: as choose says. */
static int measure(struct search_session *s, int times, double until, const char *const *proposed,
                   const char *const *longer, const char **chosen)
{
    const struct rg_strings sizes = s->o.sizes;
    s->o.sizes = (struct rg_strings){0};
    small_sizes(s, times, &s->o.sizes);
    take(s, longer);
    struct rg_error ignored = RG_ERROR_INIT; /* then what was proposed stays, and the run says what is wrong with it */
    int measured = 0;
    if (search_reload(s, &ignored) == RG_OK) {
        const int params = s->problem->n_params;
        struct reaches r = {.n_params = params,
                            .n = rg_xcalloc((size_t)params + 1, sizeof *r.n),
                            .cap = rg_xcalloc((size_t)params + 1, sizeof *r.cap),
                            .of = rg_xcalloc((size_t)params + 1, sizeof *r.of)};
        const struct rg_farm_options o = {
            .seed = (uint64_t)s->o.seed, .reference_s = 2, .until = until, .reached = reached, .reached_arg = &r};
        struct rg_farm_info info;
        if (rg_farm_look(&o, s->problem, &info, &ignored) == RG_OK) measured = choose(s, proposed, &r, chosen);
        reaches_free(&r);
    }
    rg_error_clear(&ignored);
    rg_strings_release(&s->o.sizes);
    s->o.sizes = sizes;
    return measured;
}

enum rg_status search_measure_extents(struct search_session *s, struct rg_error *err)
{
    if (!s->n_assumed) return RG_OK;
    const size_t n = (size_t)s->n_assumed;
    const char **proposed = rg_arena_alloc(&s->added, n * sizeof *proposed),
               **longer = rg_arena_alloc(&s->added, n * sizeof *longer),
               **chosen = rg_arena_alloc(&s->added, n * sizeof *chosen),
               **further = rg_arena_alloc(&s->added, n * sizeof *further);
    for (size_t i = 0; i < n; i++) {
        proposed[i] = chosen[i] = s->o.extents.items[s->assumed_from + (int)i];
        longer[i] = strchr(proposed[i], ',')
                        ? proposed[i]
                        : rg_arena_printf(&s->added, "%.*s: %d", name_length(proposed[i]), proposed[i], LONG);
    }
    const double until = rg_now() + search_look_s(s);
    int measured = measure(s, 1, until, proposed, longer, chosen);
    const struct rg_strings stated = s->o.inputs;
    struct rg_strings fitting = {0};
    if (measured == -2) {
        for (int i = 0; i < stated.n; i++) rg_strings_add(&fitting, stated.items[i]);
        fitting_inputs(s, proposed, &fitting);
        s->o.inputs = fitting;
        measured = measure(s, 1, until, proposed, longer, chosen);
    }
    if (measured != -1 && measured < s->n_assumed) {
        struct rg_error ignored = RG_ERROR_INIT; /* numbers that follow from small sizes may be none there can be */
        take(s, proposed);
        const bool again = s->problem || search_reload(s, &ignored) == RG_OK;
        rg_error_clear(&ignored);
        const int more = again && rg_now() < until ? measure(s, FURTHER, until, proposed, longer, further) : 0;
        if (more > 0 && more > measured) {
            measured = more;
            chosen = further;
        }
    }
    s->o.inputs = stated;
    rg_strings_release(&fitting);
    if (measured < 0) {
        *err = s->extent_error;
        return RG_INPUT;
    }
    take(s, chosen);
    s->measured = measured == s->n_assumed;
    return search_reload(s, err);
}

void search_blame_extents(const struct search_session *s, struct rg_error *err)
{
    struct rg_buf names = RG_BUF_INIT, b = RG_BUF_INIT;
    for (int i = 0; i < s->n_assumed; i++) {
        const char *item = s->o.extents.items[s->assumed_from + i];
        rg_buf_printf(&names, "%s'%.*s'", i ? ", " : "", name_length(item), item);
        rg_buf_printf(&b, " --extent '%s'", item);
    }
    rg_error_prefix(err, "the extent of %s cannot be read off the code; with%s, as proposed", names.data, b.data);
    rg_buf_release(&names);
    rg_buf_release(&b);
}
