#include "frontend/emit/emit.h"
#include "frontend/read/build_returned.h"
#include "frontend/emit/program.h"
#include "frontend/infer/infer.h"
#include "frontend/infer/reach.h"
#include "frontend/normalise/passes.h"
#include "frontend/normalise/sorting_trials.h"
#include "frontend/normalise/zero_ended.h"
#include "frontend/read/read.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

static enum rg_status has_output(struct rg__load *l)
{
    const struct rg_problem *p = l->p;
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].kind == RG_PARAM_ARRAY && p->params[i].role != RG_ROLE_IN) return RG_OK;
    if (p->allow_trivial) return RG_OK;
    return rg_error_at(l->err, RG_INPUT, l->unit.functions[l->function].file, p->line, 0,
                       "'%s' has no output: it writes to no array and no file-scope variable, and returns nothing",
                       p->function);
}

static enum rg_status with_files(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    p->with_c = rg_arena_alloc(&p->arena, (size_t)(l->o->n_with + 1) * sizeof *p->with_c);
    for (int i = 0; i < l->o->n_with; i++) {
        struct rg_buf text = RG_BUF_INIT;
        enum rg_status st = rg__preprocess(l->o->with[i], p->cflags, NULL, &text, l->err);
        if (st == RG_OK) p->with_c[p->n_with++] = rg_arena_strdup(&p->arena, text.data);
        rg_buf_release(&text);
        if (st != RG_OK) return st;
    }
    return RG_OK;
}

static enum rg_status as_text(struct rg__load *l)
{
    return rg__pass_done(l, "text",
                         "the body stays as it is written: no tree says it, or how much memory it takes is not known",
                         RG__C_CANONICAL, 0);
}

/* A function that calls itself, as a whole: is a call of it loops over levels, or a sort? Else it is read as it was. */
static enum rg_status as_a_whole(struct rg__load *l)
{
    l->as_call = true;
    enum rg_status st = rg__read_again(l);
    if (st == RG_OK && !rg__is_verbatim(l) && (l->b.levels || rg__sorting_trials(l))) return RG_OK;
    l->as_call = false;
    return rg__read_again(l);
}

static enum rg_status run(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    enum rg_status st = rg__unit_open(&l->unit, l->o->file, l->o->cflags, l->err);
    if (st == RG_OK) st = rg__directives_scan(&l->dirs, &l->unit.src, l->err);
    if (st == RG_OK) st = rg__directives_options(&l->dirs, l->o, l->err);
    if (st == RG_OK) st = rg__select(l);
    if (st == RG_OK && l->o->n_with) st = rg__unit_link(&l->unit, l->o->with, l->o->n_with, l->o->cflags, l->err);
    if (st == RG_OK) st = rg__init_sequence(l);
    if (st != RG_OK) return st;
    const struct rg__function *f = &l->unit.functions[l->function];
    const struct rg__problem_at *bad = rg__unit_problem(&l->unit, f->at, f->end);
    if (bad) {
        struct rg__place at = rg__source_place(&l->unit.src, bad->at);
        return rg_error_at(l->err, RG_INPUT, at.file, at.line, at.column,
                           "libclang cannot read this, though the C compiler accepts it: %s", bad->text);
    }
    p->function = rg_arena_strdup(&p->arena, f->name);
    p->file = rg_arena_strdup(&p->arena, l->o->file);
    p->line = f->line;
    p->cflags = rg_arena_strdup(&p->arena, l->o->cflags ? l->o->cflags : "");
    p->may_alias = l->o->may_alias;
    p->allow_trivial = l->o->allow_trivial;
    p->allow = l->o->allow;
    double start = rg_now();
    st = rg__read_body(l);
    if (st != RG_OK && l->b.wants_shape && rg__read_shape(l)) st = rg__read_again(l);
    if (st == RG_OK && rg__is_verbatim(l) && rg__calls_itself(l)) st = as_a_whole(l);
    if (st == RG_OK && (rg__is_verbatim(l) || l->b.c_text)) st = rg__refuse_no_device(l);
    if (st == RG_OK && rg__is_verbatim(l) && l->p->places) st = rg__refuse_returned(&l->b, f, l->b.verbatim);
    p = l->p; /* of the reading that made a tree */
    for (int i = 0; st == RG_OK && i < l->b.n_powers; i++)
        rg__require_power(p, l->b.powers[i].param, l->b.powers[i].most);
    if (st == RG_OK && !rg__is_verbatim(l)) rg__zero_ended(l);
    if (st == RG_OK && !rg__is_verbatim(l)) rg__checked_inputs(l), rg__missing_places(l);
    if (st == RG_OK) rg__read_setup(l);
    if (st == RG_OK) rg__program_try(l);
    if (st == RG_OK) st = rg__apply_extents(l);
    if (st == RG_OK) st = rg__apply_params(l);
    if (st == RG_OK) st = rg__apply_sizes(l);
    if (st == RG_OK) st = rg__program_sizes(l);
    if (st == RG_OK) rg__caller_sizes(l);
    if (st != RG_OK) return st;
    l->need.holds = rg__holds;
    l->need.open = rg__sizes_open;
    l->need.arg = l;
    const bool text = rg__is_verbatim(l);
    if (!text) {
        rg__early_memory(l->t);
        if ((st = rg__pass_done(l, "reading", "the tree as libclang's was read", RG__C_RAW, rg_now() - start)) != RG_OK)
            return st;
        rg__tie_tree(l);
        if ((st = rg__normalise(l)) != RG_OK) return st;
        if (l->program.more) {
            rg__program_again(l);
            rg__reach_made(l);
        }
    }
    st = rg__require_extents(l);
    if (st == RG_OK) st = rg__settle_sizes(l);
    if (st == RG_OK && text) { /* it says how long rows are */
        if ((st = rg__verbatim_rows(l)) != RG_OK) return st;
        rg__verbatim_tree(l);
        st = as_text(l);
    }
    if (st != RG_OK) return st;
    rg__roles(p, rg__is_verbatim(l) ? NULL : l->t);
    rg__caller_reals(l);
    st = rg__apply_params(l); /* again: a role the user gives wins */
    if (st == RG_OK) rg__scaled_inputs(l);
    if (st == RG_OK) rg__bit_field_inputs(l);
    if (st == RG_OK && !rg__is_verbatim(l)) {
        rg__index_inputs(l);
        rg__whole_steps(l);
        rg__related_inputs(l);
        rg__compared_inputs(l);
        rg__unknown_memory(l);
        l->unknown_memory = rg__is_verbatim(l);
        if (l->unknown_memory && p->places) st = rg__refuse_returned(&l->b, f, l->b.verbatim);
        if (l->unknown_memory) st = rg__verbatim_rows(l);
        if (l->unknown_memory && st == RG_OK) st = as_text(l);
    }
    if (st == RG_OK) st = has_output(l);
    if (st == RG_OK) st = rg__check_sizes(l);
    if (st == RG_OK && l->o->specialize) st = rg__specialize(l);
    if (st == RG_OK) st = with_files(l);
    if (st == RG_OK) st = rg__texts(l);
    if (st != RG_OK) return st;
    rg__named_constants(l);
    rg__traits(p, l->t);
    rg__verify_sizes(l);
    rg__compulsory(p, l->t);
    st = rg__reference_texts(l);
    if (st != RG_OK) return st;
    char *json = rg_ctree_to_json(l->t);
    p->tree_json = json ? rg_arena_strdup(&p->arena, json) : NULL;
    free(json);
    rg_problem_rehash(p);
    return RG_OK;
}

/* What became text; and whether that is for memory of an amount that was not seen. */
struct as_written {
    bool text, unknown_memory;
};

static enum rg_status load(const struct rg_frontend_options *o, bool follow, struct rg_problem **problem,
                           struct rg_ctree **tree, struct as_written *as, struct rg_error *err)
{
    struct rg__load l = {.o = o, .follow = follow, .err = err};
    l.p = rg_problem_new();
    enum rg_status st = run(&l);
    *as = (struct as_written){st == RG_OK && rg__is_verbatim(&l), st == RG_OK && l.unknown_memory};
    rg__build_release(&l.b);
    free(l.facts);
    free(l.ties);
    free(l.init_reals);
    free(l.later);
    free(l.later_extents);
    if (l.shape) free(l.shape->of);
    free(l.shape);
    free(l.set);
    free(l.inits);
    free(l.need.items);
    free(l.guards);
    free(l.doors);
    rg__directives_release(&l.dirs);
    if (l.unit.c) rg__unit_close(&l.unit);
    if (st == RG_OK) {
        *problem = l.p;
        *tree = l.t;
        return RG_OK;
    }
    rg_problem_free(l.p);
    rg_ctree_free(l.t);
    if (err && err->status == RG_OK) rg_error_set(err, st, "the file cannot be read");
    return st;
}

enum rg_status rg_frontend_load(const struct rg_frontend_options *o, struct rg_problem **problem,
                                struct rg_ctree **tree, struct rg_error *err)
{
    struct as_written first, second;
    *problem = NULL;
    *tree = NULL;
    enum rg_status st = load(o, false, problem, tree, &first, err);
    if (st != RG_OK || !first.unknown_memory) return st;
    /* lengths kept in variables of the file, say: what they are is seen where they are followed */
    struct rg_problem *p = NULL;
    struct rg_ctree *t = NULL;
    struct rg_error ignored = RG_ERROR_INIT;
    st = load(o, true, &p, &t, &second, &ignored);
    rg_error_clear(&ignored);
    if (st != RG_OK) return RG_OK;
    bool better = !second.text;
    rg_problem_free(better ? *problem : p);
    rg_ctree_free(better ? *tree : t);
    if (better) *problem = p, *tree = t;
    return RG_OK;
}
