/* Inputs on which the C works. Values that are drawn one by one make many functions turn back: a factorisation at the
 * first pivot, a solver at a row without a diagonal, a look-up at a table out of order. Any kernel would be right then,
 * or nothing of what is timed is the work. Inputs that belong together are tried; what the user states stays. */
#include "cmd/search.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

static const double most_rate = 3e11; /* accesses a second of one core: no code makes so many, it left them out */
static const double least_work = 1e4; /* accesses: fewer are over at once */
static const double most_share = 0.1; /* of --time for all tries, */
static const double most_s = 10;      /* or this */

/* Was it over sooner than any code makes so many accesses? */
static bool no_time_for(const struct search_session *s, double work)
{
    const double ms = rg_farm_info(s->farm)->sequential_ms;
    return ms >= 0 && work > least_work && work > most_rate * ms * 1e-3;
}

bool search_idle(const struct search_session *s)
{
    if (!s->farm) return false;
    const struct rg_problem *p = s->problem;
    double *round = rg_xcalloc((size_t)p->n_sizes + 1, sizeof *round), work = p->sizes[0].work;
    if (s->tree) rg_frontend_rounds(p, s->tree, round);
    if (round[0] > 0) work = round[0]; /* data end its loops, which is their right */
    free(round);
    return no_time_for(s, work);
}

/* What one choice of inputs is tried against. */
struct before {
    struct rg_problem *problem;
    struct rg_ctree *tree;
    struct rg_farm *farm;
    const struct rg_frontend_likely *likely;
    int halvings, verify_halvings;
    bool sizes_stay, verify_sizes_stay;
};

/* "xs=sorted(-1, 1)", "layer.z0=affine(0, 1)", with names as people know them. */
static void say(const struct rg_problem *p, const struct rg_frontend_input *of, struct rg_buf *out)
{
    const struct rg_param *q = &p->params[of->param];
    const struct rg_input *in = &q->input;
    for (int i = 0; i < q->n_members && of->path; i++)
        if (!strcmp(q->members[i].path, of->path)) in = &q->members[i].input;
    rg_buf_printf(out, "%s%s%s%s=%.*s(", out->len ? "; " : "", rg_param_shown(q), of->path ? "." : "",
                  of->path ? of->path : "", (int)strcspn(in->text, "("), in->text);
    for (int i = 0; i < in->n_args; i++) {
        rg_buf_str(out, i ? ", " : "");
        if (in->int_args[i])
            rg_expr_print(out, in->int_args[i], rg_problem_shown, (void *)(uintptr_t)p);
        else
            rg_buf_printf(out, "%g", in->real_args[i]);
    }
    rg_buf_char(out, ')');
}

enum rg_status search_keep_likely(struct search_session *s, struct rg_error *err)
{
    struct rg_buf names = RG_BUF_INIT;
    const struct rg_frontend_likely *g = s->likely;
    enum rg_status st = RG_OK;
    if (!g) return RG_OK;
    for (int i = 0; i < g->n && st == RG_OK; i++) {
        const struct rg_frontend_input *in = &g->inputs[i];
        st = rg_frontend_state_input(s->problem, in, err);
        if (st == RG_OK) say(s->problem, in, &names);
    }
    rg_buf_printf(&names, ": %s; on values that are drawn one by one the C does nothing, or nothing that has digits",
                  g->what);
    if (st == RG_OK) st = search_note_inputs(s, names.data, err);
    rg_buf_release(&names);
    return st;
}

/* The problem as it is stays with the caller. */
static enum rg_status load_with(struct search_session *s, const struct rg_frontend_likely *g, struct rg_error *err)
{
    s->problem = NULL;
    s->tree = NULL;
    s->farm = NULL;
    s->likely = g;
    enum rg_status st = search_reload(s, err);
    return st == RG_OK ? search_keep_likely(s, err) : st;
}

static void drop(struct search_session *s)
{
    if (s->farm) rg_farm_free(s->farm);
    if (s->tree) rg_ctree_free(s->tree);
    rg_problem_free(s->problem);
}

static void put_back(struct search_session *s, struct before *b)
{
    drop(s);
    s->problem = b->problem;
    s->tree = b->tree;
    s->farm = b->farm;
    s->likely = b->likely;
    s->halvings = b->halvings;
    s->verify_halvings = b->verify_halvings;
    s->sizes_stay = b->sizes_stay;
    s->verify_sizes_stay = b->verify_sizes_stay;
    if (s->o.save_problem) rg_problem_save(s->problem, s->o.save_problem, NULL); /* the choice was written there */
}

static void forget(struct before *b)
{
    if (b->farm) rg_farm_free(b->farm);
    if (b->tree) rg_ctree_free(b->tree);
    rg_problem_free(b->problem);
}

static struct before take(const struct search_session *s)
{
    return (struct before){
        s->problem, s->tree, s->farm, s->likely, s->halvings, s->verify_halvings, s->sizes_stay, s->verify_sizes_stay};
}

static int choices(struct search_session *s, struct rg_frontend_likely **out)
{
    const bool may = s->tree && !s->o.problem_file && !s->o.allow_trivial && !s->problem->init_function;
    return may ? rg_frontend_likely_inputs(s->problem, s->tree, &s->added, out) : 0;
}

/* Random numbers mean nothing to many a function: options without a volatility, a lattice that explodes. */
static bool means_nothing(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    return i->loose && i->digits < 1;
}

/* The inputs that the file's own main makes, where the C is livelier on them and keeps its digits. idle: it was. */
static enum rg_status as_main(struct search_session *s, struct rg_farm_options *f, search_starts *start, bool idle,
                              struct rg_error *err)
{
    const double ms = rg_farm_info(s->farm)->sequential_ms;
    struct before b = take(s);
    const char *init = s->o.init;
    struct rg_error second = RG_ERROR_INIT;
    s->problem = NULL;
    s->tree = NULL;
    s->farm = NULL;
    s->o.init = "main";
    enum rg_status st = search_reload(s, &second);
    const bool made = st == RG_OK && s->problem->init_function && !strcmp(s->problem->init_function, "main");
    if (made) st = start(s, f, &second);
    rg_error_clear(&second);
    /* of ten elements in a demonstration less is done than of many that end it soon */
    const bool more = made && st == RG_OK && (!idle || rg_farm_info(s->farm)->sequential_ms > ms);
    if (more && !search_idle(s) && !means_nothing(s)) {
        forget(&b);
        rg_error_clear(err);
        return RG_OK;
    }
    put_back(s, &b);
    s->o.init = init;
    return st == RG_CANCELED ? st : RG_INPUT;
}

/* Powers of two for sizes that nobody gave: a transform by halves turns back at others. */
static enum rg_status with_powers(struct search_session *s, struct rg_farm_options *f, search_starts *start,
                                  double until, struct rg_error *err)
{
    bool first = true;
    if (!search_name_powers(s, true)) return RG_INPUT;
    while ((first || search_powers_left(s)) && rg_now() < until) {
        struct before b = take(s);
        struct rg_error second = RG_ERROR_INIT;
        first = false;
        s->problem = NULL;
        s->tree = NULL;
        s->farm = NULL;
        enum rg_status st = search_with_powers(s, &second);
        if (st == RG_OK) st = start(s, f, &second);
        rg_error_clear(&second);
        if (st == RG_OK && !search_idle(s)) {
            forget(&b);
            rg_error_clear(err);
            return RG_OK;
        }
        put_back(s, &b);
        if (st == RG_CANCELED) return rg_error_set(err, RG_CANCELED, "stopped");
    }
    search_forget_powers(s);
    return RG_INPUT;
}

/* Why other inputs are looked for. */
struct reason {
    bool idle, trivial;
    double left_ms; /* data end its loops, all of which no core would have gone through in that time; 0: did not */
};

static bool does_better(const struct search_session *s, const struct reason *r, bool last)
{
    const double much = 10; /* times as long */
    if (r->idle || r->trivial) return !search_idle(s) || (r->trivial && last);
    if (search_idle(s) || means_nothing(s)) return false;
    return !r->left_ms || rg_farm_info(s->farm)->sequential_ms > much * r->left_ms;
}

static enum rg_status with_likely(struct search_session *s, struct rg_farm_options *f, search_starts *start,
                                  const struct reason *r, double until, struct rg_error *err)
{
    struct rg_frontend_likely *of;
    const int n = choices(s, &of);
    for (int i = 0; i < n && rg_now() < until; i++) {
        if (r->left_ms && of[i].signs) continue; /* what ends loops is another thing */
        struct before b = take(s);
        struct rg_error second = RG_ERROR_INIT;
        enum rg_status tried = load_with(s, &of[i], &second);
        if (tried == RG_OK) tried = start(s, f, &second);
        rg_error_clear(&second);
        if (tried == RG_OK && does_better(s, r, i + 1 == n)) {
            forget(&b);
            rg_error_clear(err);
            return RG_OK;
        }
        put_back(s, &b);
        if (tried == RG_CANCELED) return rg_error_set(err, RG_CANCELED, "stopped");
    }
    return RG_INPUT;
}

enum rg_status search_livelier(struct search_session *s, struct rg_farm_options *f, search_starts *start,
                               enum rg_status st, struct rg_error *err)
{
    struct reason r = {.idle = st == RG_OK && search_idle(s),
                       .trivial =
                           st == RG_INPUT && (strstr(err->text, RG_PASSES_AS) || strstr(err->text, RG_SAME_OUTPUTS))};
    const bool nothing = st == RG_OK && means_nothing(s);
    const bool mains = (r.idle || nothing) && search_may_call_main(s);
    const enum rg_status tried_main = mains ? as_main(s, f, start, r.idle, err) : RG_INPUT;
    if (tried_main == RG_OK) return RG_OK;
    if (tried_main == RG_CANCELED) return rg_error_set(err, RG_CANCELED, "stopped");
    if (st == RG_OK && !r.idle && no_time_for(s, s->problem->sizes[0].work))
        r.left_ms = rg_farm_info(s->farm)->sequential_ms;
    if (!r.idle && !r.trivial && !nothing && !r.left_ms) return st;
    const double until = rg_now() + (s->o.time > 0 ? most_share * s->o.time : most_s);
    enum rg_status found = with_likely(s, f, start, &r, until, err);
    if (found == RG_INPUT && r.idle && rg_now() < until) found = with_powers(s, f, start, until, err);
    return found == RG_OK || found == RG_CANCELED ? found : st;
}

enum rg_status search_resumed_inputs(struct search_session *s, struct rg_error *err)
{
    struct rg_frontend_likely *of;
    const int n = choices(s, &of);
    for (int i = 0; i < n; i++) {
        struct before b = take(s);
        if (load_with(s, &of[i], err) == RG_OK && search_check_out(s, err) == RG_OK) {
            forget(&b);
            return RG_OK;
        }
        rg_error_clear(err);
        put_back(s, &b);
    }
    return rg_error_set(err, RG_INPUT, "the folder is of none of the inputs that belong together");
}
