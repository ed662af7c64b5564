/* Extents that the data of other arrays decide: `idx[k]` of the loops `for (k = row[i]; k < row[i + 1]; k++)`,
 * `x[idx[k]]`. Such an extent is a size of its own, `row.end` or `x.size`: a search chooses it, and the inputs of the
 * arrays that lead there are drawn to fit (index_inputs.c); the exported function finds it in the data of each call, as
 * the largest element of `row` or `idx`. */
#include "frontend/infer/reach.h"
#include "frontend/infer/infer.h"
#include "frontend/infer/reach_walk.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_LENGTH = 8, ROW_LENGTH = 64, ROW_FIRST = 3, ROW_STEP = 7 };

/* The dimension whose extent nothing says: the first, or in the structures of an array the length of the rows that a
 * member leads to, where the first is known; -1. */
static int lacking(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    if (q->kind != RG_PARAM_ARRAY || q->n_dims < 1) return -1;
    if (!q->dims[0]) return 0;
    return l->b.origins[param].layout == RG__COLUMN && q->rows && !q->dims[1] ? 1 : -1;
}

/* How long the strings in the rows are. */
static bool lacks_text(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    return l->b.origins[param].text && q->n_dims == 2 && q->dims[0] && !q->dims[1];
}

static bool lacks(const struct rg__load *l, int param)
{
    return lacking(l, param) >= 0;
}

/* And the function is given it. */
static bool open_extent(const struct rg__load *l, int param)
{
    return lacks(l, param) && l->p->params[param].origin != RG_ORIGIN_RESULT;
}

/* ---- what the C has to say it in ---- */

static bool reachable(const struct rg__load *l, int param);

static void name_reachable(void *arg, const char *name)
{
    struct rg__reach_walk *w = arg;
    int i = rg_problem_param(w->l->p, name);
    w->bad |= i < 0 || !reachable(w->l, i);
}

/* Do the function's own arguments lead to it, or variables that the file has? */
static bool reachable(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    if (q->derived) {
        struct rg__reach_walk w = {.l = (struct rg__load *)l};
        rg_expr_names(q->derived, name_reachable, &w);
        return !w.bad;
    }
    return q->origin == RG_ORIGIN_ARG || (q->origin == RG_ORIGIN_GLOBAL && !l->b.origins[param].outside);
}

/* Does a set-up function that the user names fill it? None of our data would fit. One that parks the pointer does not.
 */
static bool filled(const struct rg__load *l, int param)
{
    return l->p->init_function && !l->p->init_found && l->p->params[param].input.kind == RG_INPUT_INIT;
}

static bool sources_known(struct rg__reach_walk *w)
{
    for (int i = 0; i < w->found.n; i++) {
        const struct rg_param *q = &w->l->p->params[w->found.from[i].of];
        if (filled(w->l, w->found.from[i].of) || !reachable(w->l, w->found.from[i].of)) return false;
        for (int d = 0; d < q->n_dims; d++) {
            if (!q->dims[d]) return false;
            rg_expr_names(q->dims[d], name_reachable, w);
        }
    }
    return !w->bad;
}

/* ---- the sizes ---- */

/* Sizes that the function is given and that bound nothing: the number of non-zeros, of columns. */
static int64_t said(const struct rg__load *l, const bool *need, int size, bool most)
{
    const struct rg_problem *p = l->p;
    int64_t best = 0;
    for (int k = 0; k < p->n_size_params; k++) {
        int64_t v = p->sizes[size].values[k];
        if (need[k] || l->unset[k] || p->params[p->size_params[k]].derived || v < 2) continue;
        bool taken = false; /* by another such size */
        for (int i = 0; i < p->n_size_params && !most; i++)
            taken = taken || (l->b.origins[p->size_params[i]].layout == RG__REACH && p->sizes[size].values[i] == v);
        if (taken) continue;
        if (!best || (most ? v > best : v < best)) best = v;
    }
    return best;
}

/* What the file's own program makes of it where it is called, at the size that it makes; false: it is not run, or has
 * not been asked. */
static bool made(const struct rg__load *l, int index, int size, int64_t *value)
{
    const struct rg_problem *p = l->p;
    const struct rg__program *g = &l->program;
    if (!g->n_rows || index >= g->rows[0].n) return false;
    *value = g->rows[0].values[index];
    for (int r = 0; r < g->n_rows; r++) {
        bool same = index < g->rows[r].n;
        for (int k = 0; k < p->n_size_params && same; k++) {
            const int i = p->size_params[k];
            same = p->params[i].derived || l->b.origins[i].layout == RG__REACH || !rg__program_binds(l, i) ||
                   p->sizes[size].values[k] == g->rows[r].values[i];
        }
        if (!same) continue;
        *value = g->rows[r].values[index];
        break;
    }
    return true;
}

static int64_t chosen(const struct rg__load *l, int index, const bool *need, int size)
{
    const struct rg__reach *r = l->b.origins[index].reach;
    const struct rg_problem *p = l->p;
    int64_t value;
    if (r->rows && made(l, index, size, &value)) return value;
    bool run = r->run, counts = r->counts;
    int64_t n = 1, rows = 1;
    if (r->rows) return size ? ROW_FIRST + ROW_STEP * size : ROW_LENGTH; /* rows of texts, polygons */
    if (r->beside && rg_problem_elements(p, r->beside - 1, &p->sizes[size], &n, NULL) == RG_OK && n > 0) return n;
    for (int i = 0; i < r->n; i++)
        if (!lacks(l, r->from[i].of) && rg_problem_elements(p, r->from[i].of, &p->sizes[size], &n, NULL) == RG_OK &&
            n > rows)
            rows = n;
    int64_t given = said(l, need, size, run && !counts);
    if (given >= (run && !counts ? rows - 1 : 2)) return given;
    if (counts) return RUN_LENGTH;
    if (run) return rows > 1 ? RUN_LENGTH * (rows - 1) : RUN_LENGTH;
    for (int k = 0; k < p->n_size_params; k++)
        if (need[k] && !p->params[p->size_params[k]].derived) return p->sizes[size].values[k];
    return rows;
}

/* The values of size k, parameter `index`. */
static void choose_values(struct rg__load *l, int index, int k, const bool *need)
{
    struct rg_problem *p = l->p;
    bool unknown = false;
    for (int i = 0; i < k; i++) unknown |= need[i] && l->unset[i];
    for (int s = 0; s < p->n_sizes; s++) {
        p->sizes[s].values[k] = unknown ? 1 : chosen(l, index, need, s);
        rg__take_later_size(l, index, s, &p->sizes[s].values[k]);
    }
}

static int append_size(struct rg__load *l, const struct rg__reach_walk *w, const char *of, const char *what)
{
    struct rg_problem *p = l->p;
    struct rg_arena *a = &p->arena;
    bool *need = rg__sizes_needed(l);
    int n = p->n_size_params;
    struct rg_param *q = rg__add_param(&l->b, "", RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = p->n_params - 1;
    const char *shown = of;
    for (int i = 0; i < index; i++)
        if (!strcmp(p->params[i].name, of)) shown = rg_param_shown(&p->params[i]);
    int v = rg__c_add_var(l->t, rg_arena_printf(a, "%s_%s", of, what), RG_CVAR_PARAM, RG_LONG);
    l->t->vars[v].param = index;
    q->name = rg_arena_strdup(a, l->t->vars[v].name);
    q->c_name = rg_arena_printf(a, "%s.%s", shown, what);
    q->elem = RG_LONG;
    q->elem_bytes = (int64_t)rg_scalar_bytes(RG_LONG);
    q->c_elem = rg_scalar_c(RG_LONG);
    q->c_decl = rg_arena_printf(a, "%s %s", q->c_elem, q->name);
    q->indirect = true;
    q->extent_from = w->found.loose  ? "what the caller says"
                     : w->found.text ? "the longest string, with its zero"
                                     : rg_arena_printf(a, "how far the elements of %s lead",
                                                       rg_param_shown(&p->params[w->found.from[0].of]));
    struct rg__reach *r = rg_arena_alloc(a, sizeof *r);
    *r = w->found;
    for (int i = 0; i < r->n; i++) r->run |= w->run[i];
    r->counts = r->run && w->counts;
    r->rows = w->dim > 0;
    if (r->beside) q->follows = p->params[r->beside - 1].dims[0];
    l->b.origins[index].layout = RG__REACH;
    l->b.origins[index].reach = r;
    int *params = rg_arena_alloc(a, (size_t)(n + 1) * sizeof *params);
    bool *unset = rg_arena_alloc(a, (size_t)n + 2);
    if (n) memcpy(params, p->size_params, (size_t)n * sizeof *params);
    if (n) memcpy(unset, l->unset, (size_t)n);
    params[n] = index;
    unset[n] = false;
    for (int s = 0; s < p->n_sizes; s++) {
        int64_t *values = rg_arena_alloc(a, (size_t)(n + 2) * sizeof *values);
        if (n) memcpy(values, p->sizes[s].values, (size_t)n * sizeof *values);
        p->sizes[s].values = values;
    }
    p->size_params = params;
    p->n_size_params++;
    l->unset = unset;
    choose_values(l, index, n, need);
    free(need);
    return index;
}

static bool leads_alike(const struct rg__reach *a, const struct rg__reach *b)
{
    bool same = a->n == b->n && a->rows == b->rows && !a->loose && !b->loose;
    for (int k = 0; same && k < a->n; k++)
        same = a->from[k].of == b->from[k].of && a->from[k].times == b->from[k].times &&
               a->from[k].more == b->from[k].more;
    return same;
}

/* The size that says the same of another array already; -1. */
static int same_size(const struct rg__load *l, const struct rg__reach *r)
{
    for (int i = 0; i < l->p->n_params; i++)
        if (l->b.origins[i].layout == RG__REACH && leads_alike(l->b.origins[i].reach, r)) return i;
    return -1;
}

/* Where the caller says how long one of the arrays is that some data lead into, the data lead as far in all of them
 * (columns and values of compressed rows). 1 + that one; 0: none. */
static int beside(struct rg__load *l, int param, const struct rg__reach *found)
{
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        if (i == param || q->kind != RG_PARAM_ARRAY || q->n_dims != 1 || lacks(l, i) || !reachable(l, i)) continue;
        struct rg__reach_walk w;
        rg__reach_walk_init(&w, l);
        rg__reach_walk(&w, i);
        const bool alike = !w.bad && !w.fixed && w.run[0] && leads_alike(&w.found, found);
        rg__reach_walk_release(&w);
        if (alike) return i + 1;
    }
    return 0;
}

/* `length` of its elements, or of its rows where these are known. */
static void take(struct rg__load *l, struct rg_param *q, int param, const struct rg_expr *length,
                 const struct rg__reach_walk *w)
{
    struct rg_arena *a = &l->p->arena;
    for (int x = 0; x < l->t->n_arrays; x++) {
        const struct rg_carray *r = &l->t->arrays[x];
        for (int d = 1; r->param == param && r->delinearised && q->n_dims == 1 && !w->flat && d < r->n_dims; d++)
            length = rg__c_to_expr(
                l->t, rg__c_binary(l->t, RG_COP_MUL, rg__c_from_expr(l->t, length), rg__c_from_expr(l->t, r->dims[d])),
                a);
    }
    const struct rg_expr **dims = rg_arena_alloc(a, (size_t)q->n_dims * sizeof *dims);
    memcpy(dims, q->dims, (size_t)q->n_dims * sizeof *dims);
    dims[w->dim] = length;
    q->dims = dims;
    q->extent_inferred = true;
    for (int x = 0; x < l->t->n_arrays; x++)
        if (l->t->arrays[x].param == param && l->t->arrays[x].n_dims == q->n_dims) l->t->arrays[x].dims = dims;
}

/* Rows that end in a zero: how long the longest is, with that. */
static bool settle_text(struct rg__reach_walk *w, int param)
{
    struct rg__load *l = w->l;
    if (!l->b.origins[param].text || !l->p->params[param].dims[0] || filled(l, param) || !reachable(l, param))
        return false;
    w->dim = 1;
    w->found = (struct rg__reach){.n = 1, .rows = true, .text = true, .from = {{.of = param, .times = 1}}};
    const int size = append_size(l, w, l->p->params[param].name, "len");
    struct rg_param *q = &l->p->params[param];
    struct rg_cnode *e = NULL;
    for (int v = 0; v < l->t->n_vars; v++)
        if (l->t->vars[v].kind == RG_CVAR_PARAM && l->t->vars[v].param == size) e = rg__c_var(l->t, v);
    q->extent_from = "as far as the longest of its strings";
    l->b.origins[param].rows = l->b.origins[size].reach;
    take(l, q, param, rg__c_to_expr(l->t, e, &l->p->arena), w);
    const char *name = l->p->params[size].name;
    if (q->input.kind == RG_INPUT_DEFAULT)
        rg__draw_input(l, q, rg_arena_printf(&l->p->arena, "string(%s - 1, 97, 100, %s)", name, name));
    return true;
}

/* The parameter that has the name of that size; -1. */
static int end_of(const struct rg__load *l, int source)
{
    char name[200];
    const int n = snprintf(name, sizeof name, "%s_end", l->p->params[source].name);
    return n < (int)sizeof name ? rg_problem_param(l->p, name) : -1;
}

static bool settle(struct rg__reach_walk *w, int param)
{
    struct rg__load *l = w->l;
    struct rg_param *q = &l->p->params[param];
    struct rg_arena *a = &l->p->arena;
    w->dim = lacking(l, param);
    rg__reach_walk(w, param);
    if (w->bad) return false;
    if (w->fixed) {
        const struct rg_expr *e = rg__c_to_expr(l->t, w->fixed, a);
        if (e) take(l, q, param, e, w);
        if (e && w->searched) rg__reach_sorted(w, q);
        return e != NULL;
    }
    if (filled(l, param) || !reachable(l, param) || !w->found.n || !sources_known(w)) return false;
    if (w->dim && !rg__reach_own_rows(w, param)) return false;
    int64_t times = w->found.from[0].times;
    bool run = w->run[0];
    for (int i = 1; i < w->found.n; i++) run &= w->run[i], times = w->found.from[i].times == times ? times : 1;
    for (int i = 0; i < w->found.n; i++)
        if (w->found.from[i].more % times) times = 1; /* blocks of as many elements otherwise: they are counted */
    for (int i = 0; i < w->found.n; i++) w->found.from[i].times /= times, w->found.from[i].more /= times;
    w->found.rows = w->dim > 0;
    int size = same_size(l, &w->found);
    const char *source = rg_param_shown(&l->p->params[w->found.from[0].of]);
    if (size < 0 && run && end_of(l, w->found.from[0].of) < 0)
        w->found.beside = beside(l, param, &w->found),
        size = append_size(l, w, l->p->params[w->found.from[0].of].name, "end");
    else if (size < 0)
        size = append_size(l, w, q->name, "size");
    q = &l->p->params[param]; /* the table grew */
    struct rg_cnode *e = NULL;
    for (int v = 0; v < l->t->n_vars; v++)
        if (l->t->vars[v].kind == RG_CVAR_PARAM && l->t->vars[v].param == size) e = rg__c_var(l->t, v);
    if (times > 1) e = rg__c_binary(l->t, RG_COP_MUL, rg__c_int(l->t, times), e);
    const struct rg_expr *length = rg__c_to_expr(l->t, e, a);
    q->extent_from = rg_arena_printf(a, "as far as the elements of %s lead", source);
    if (w->dim) l->b.origins[param].rows = l->b.origins[size].reach;
    take(l, q, param, length, w);
    return true;
}

/* Is it what data lead into that can not be asked? */
static bool loosely_led(struct rg__reach_walk *w, int param)
{
    const struct rg__load *l = w->l;
    w->dim = lacking(l, param);
    if (w->dim || filled(l, param) || !reachable(l, param)) return false;
    w->loosely = true;
    rg__reach_walk(w, param);
    w->loosely = false;
    return !w->bad && !w->fixed;
}

/* Its extent is a size that the caller says. */
static void settle_loosely(struct rg__reach_walk *w, int param)
{
    struct rg__load *l = w->l;
    loosely_led(w, param);
    const int64_t more = w->added;
    w->dim = 0;
    w->found = (struct rg__reach){.loose = true};
    const int size = append_size(l, w, l->p->params[param].name, "size");
    struct rg_param *q = &l->p->params[param];
    struct rg_cnode *e = NULL;
    for (int v = 0; v < l->t->n_vars; v++)
        if (l->t->vars[v].kind == RG_CVAR_PARAM && l->t->vars[v].param == size) e = rg__c_var(l->t, v);
    q->extent_from = "as long as its caller says: data lead into it";
    take(l, q, param, rg__c_to_expr(l->t, e, &l->p->arena), w);
    if (more <= 0) return;
    e = rg__c_binary(l->t, RG_COP_GE, rg__c_copy(l->t, e), rg__c_int(l->t, more + 1)); /* x[u + more] of u = 0 */
    rg__add_require(l->p, rg__c_to_expr(l->t, e, &l->p->arena));
}

static bool names_end(const struct rg__load *l, int source)
{
    const char *shown = rg_param_shown(&l->p->params[source]);
    const size_t n = strlen(shown);
    for (int i = 0; i < l->n_later_extents; i++) {
        const char *text = l->later_extents[i]->text;
        text += strspn(text, " \t");
        if (strncmp(text, shown, n) || (text[n] != '.' && text[n] != '_') || strncmp(text + n + 1, "end", 3)) continue;
        if (!text[n + 4 + strspn(text + n + 4, " \t")]) return true;
    }
    return false;
}

int rg__reach_end_stated(struct rg__load *l, int param)
{
    return names_end(l, param) ? rg__reach_end(l, param) : -1;
}

int rg__reach_end(struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    if (filled(l, param) || l->b.verbatim || q->kind != RG_PARAM_ARRAY || q->n_dims != 1 ||
        !rg__scalar_is_int(q->elem) || q->input.kind != RG_INPUT_DEFAULT || !reachable(l, param))
        return -1;
    for (int x = 0; x < l->t->n_arrays; x++)
        if (l->t->arrays[x].param == param && rg__writes_array(l->t->root, x)) return -1;
    struct rg__reach_walk w = {.l = l, .run = {true}};
    w.found = (struct rg__reach){.n = 1, .early = true, .from = {{.of = param, .times = 1}}};
    const int size = same_size(l, &w.found);
    if (size >= 0 || end_of(l, param) >= 0) return size;
    return append_size(l, &w, q->name, "end");
}

/* The values of sizes that were made early. */
static void choose_early(struct rg__load *l)
{
    bool *need = rg__sizes_needed(l);
    for (int k = 0; k < l->p->n_size_params; k++) {
        const int index = l->p->size_params[k];
        const struct rg__origin *o = &l->b.origins[index];
        if (o->layout == RG__REACH && o->reach->early) choose_values(l, index, k, need);
    }
    free(need);
}

/* The file's own program says how far the data that it makes lead. Other set-up functions fill arrays of lengths that
 * nobody has asked them for. */
static void ask_program(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    bool open = false;
    for (int k = 0; k < p->n_size_params; k++) {
        const int index = p->size_params[k];
        int64_t value;
        open |= l->b.origins[index].layout == RG__REACH && !made(l, index, 0, &value);
    }
    if (!open) return;
    if (!l->program.again(l)) {
        rg__drop_found_inits(l, "its data would have to fit lengths that only data say");
        return;
    }
    for (int k = 0; k < p->n_size_params; k++)
        for (int s = 0; s < p->n_sizes && l->b.origins[p->size_params[k]].layout == RG__REACH; s++)
            made(l, p->size_params[k], s, &p->sizes[s].values[k]);
}

void rg__reach_extents(struct rg__load *l)
{
    bool any = false;
    choose_early(l);
    for (int i = 0; i < l->p->n_params; i++) any |= lacks(l, i);
    const bool program = l->program.n_rows && l->p->init_found && !strcmp(l->p->init_function, "main");
    if ((any || program) && !l->b.verbatim && l->t) {
        if (any && !program) rg__drop_found_inits(l, "its data would have to fit lengths that only data say");
        struct rg__reach_walk w;
        rg__reach_walk_init(&w, l);
        int params = l->p->n_params;
        for (bool more = any; more;) { /* one array's extent may be another's */
            more = false;
            for (int i = 0; i < params; i++)
                if (open_extent(l, i)) more |= settle(&w, i);
        }
        bool all = !program; /* else what is said of the others is said of these, too */
        for (int i = 0; i < params && all; i++) all = !open_extent(l, i) || loosely_led(&w, i);
        for (int i = 0; i < params && all; i++)
            if (open_extent(l, i)) settle_loosely(&w, i);
        rg__reach_walk_release(&w);
        if (program) ask_program(l);
    }
}

void rg__reach_rows(struct rg__load *l)
{
    struct rg__reach_walk w;
    const int params = l->p->n_params;
    bool any = false;
    for (int i = 0; i < params; i++) any |= lacking(l, i) > 0 || lacks_text(l, i);
    if (!any) return;
    for (int x = 0; x < l->t->n_arrays; x++) { /* lengths may be arguments beside the structures */
        const int i = l->t->arrays[x].param;
        struct rg_param *q = i >= 0 && !l->t->arrays[x].constant_table ? &l->p->params[i] : NULL;
        const struct rg_expr *e;
        if (!q || q->kind != RG_PARAM_ARRAY || q->n_dims != 1 || q->dims[0] || !rg__scalar_is_int(q->elem) ||
            !rg__infer_extent(l->t, l->p, x, &l->p->arena, &e))
            continue;
        q->dims = rg_arena_alloc(&l->p->arena, sizeof *q->dims);
        q->dims[0] = e;
        q->extent_inferred = true;
    }
    const bool program = l->program.n_rows > 0;
    if (!program) rg__drop_found_inits(l, "its data would have to fit lengths that only data say");
    rg__reach_walk_init(&w, l);
    for (int i = 0; i < params; i++)
        if (!(lacks_text(l, i) && settle_text(&w, i)) && lacking(l, i) > 0) settle(&w, i);
    rg__reach_walk_release(&w);
    l->program.more = program;
}

void rg__reach_made(struct rg__load *l)
{
    if (!l->program.n_rows) rg__drop_found_inits(l, "it does not come to its call a second time");
    rg__reach_sizes_again(l, NULL);
}

void rg__reach_sizes_again(struct rg__load *l, const bool *need)
{
    struct rg_problem *p = l->p;
    for (int k = 0; k < p->n_size_params; k++) { /* in the order in which they were found: each may be another's */
        const struct rg__origin *o = &l->b.origins[p->size_params[k]];
        for (int s = 0; s < p->n_sizes && o->layout == RG__REACH; s++)
            if (!made(l, p->size_params[k], s, &p->sizes[s].values[k]) && need)
                p->sizes[s].values[k] = chosen(l, p->size_params[k], need, s);
    }
}

void rg__reach_row_inputs(struct rg__load *l)
{
    const struct rg_problem *p = l->p;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg__reach *r = l->b.origins[i].layout == RG__REACH ? l->b.origins[i].reach : NULL;
        for (int k = 0; r && r->rows && k < r->n; k++) {
            struct rg_param *q = &p->params[r->from[k].of];
            if (r->text || q->input.kind != RG_INPUT_DEFAULT || q->role != RG_ROLE_IN) continue;
            const bool plain = r->from[k].times == 1 && !r->from[k].more;
            const char *text =
                plain ? rg_arena_printf(&l->p->arena, "uniform(0, %s)", p->params[i].name)
                      : rg_arena_printf(&l->p->arena, "uniform(0, max(0, (%s - %lld) / %lld))", p->params[i].name,
                                        (long long)r->from[k].more, (long long)r->from[k].times);
            rg__draw_input(l, q, text);
        }
    }
}
