/* The reference role: runs the user's C. It fills the cases: inputs, what the sequential run gives, what the oracle
 * gives; and refuses functions that cannot be a reference. */
#include "runtime/os/bulk.h"
#include "runtime/data/inputs.h"
#include "runtime/reference/ref_call.h"
#include "runtime/reference/ref_spread.h"
#include "runtime/worker/ref_gates.h"
#include "runtime/worker/ref_runs.h"
#include "runtime/worker/ref_sandbox.h"
#include "runtime/worker/worker.h"
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reference {
    struct rg_library c, oracle, rounded; /* the last two: handle NULL: none, or it cannot be used */
    char where[200];
};

static enum rg_status start(struct rg_worker *w, struct rg_msg *ready, struct rg_error *err)
{
    w->self = rg_xcalloc(1, sizeof(struct reference));
    rg__call_catch(w->out, &w->current);
    return RG_OK;
}

static void stop(struct rg_worker *w)
{
    struct reference *r = w->self;
    if (!r) return;
    rg__library_close(&r->c);
    rg__library_close(&r->oracle);
    rg__library_close(&r->rounded);
    free(r);
}

static enum rg_status library(struct rg_worker *w, struct rg_msg *reply, struct rg_error *err)
{
    struct reference *r = w->self;
    const struct rg_problem *p = w->problem;
    struct rg_build c = {""}, oracle = {""}, rounded = {""};
    if (!p->reference_c) return rg_error_set(err, RG_INPUT, "the problem holds no C to run");
    rg__library_close(&r->c);
    rg__library_close(&r->oracle);
    rg__library_close(&r->rounded);
    rg__reference_close_build(w);
    enum rg_status s = rg__build(p, p->reference_c, w->tmp, w->threads > 0, &c, err);
    if (s != RG_OK) return s;
    /* an oracle that does not build is no fault of the user's: the sequential run stands in for it */
    struct rg_error e = RG_ERROR_INIT;
    bool in_double = p->oracle == RG_ORACLE_F64 && p->oracle_c && !w->threads &&
                     rg__build(p, p->oracle_c, w->tmp, false, &oracle, &e) == RG_OK;
    /* nor is it where a compiler calls nobody at basic blocks: the tolerance stands alone then */
    bool at_random = !w->threads && rg__build_rounded(p, p->reference_c, rg__rounding_text, rg__rounding_direction,
                                                      w->tmp, &rounded, &e) == RG_OK;
    reply->sandbox = rg__reference_close(w);
    s = rg__library_load(p, &c, &r->c, err);
    if (s == RG_OK && in_double) rg__library_load(p, &oracle, &r->oracle, &e);
    if (s == RG_OK && at_random) rg__library_load(p, &rounded, &r->rounded, &e);
    rg__build_discard(&c);
    rg__build_discard(&oracle);
    rg__build_discard(&rounded);
    return s;
}

/* One case being filled. */
struct filling {
    struct rg_worker *w;
    struct reference *r;
    const struct rg_problem *p;
    const struct rg_sizes *sizes;
    const struct rg_case *c;
    struct rg_layout layout;
    unsigned char *base;
    struct rg_fill fill;
    bool random;           /* the init function failed: inputs are as without one */
    unsigned says;         /* what is no finite number, and may stand in the outputs all the same */
    enum rg__finite least; /* so many of the outputs must be numbers */
    bool most;             /* on some inputs tried all but a few were */
    double move;           /* how far, of its value, what it makes is moved for seeds other than the first */
};

static bool has_init_inputs(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].input.kind == RG_INPUT_INIT) return true;
    return false;
}

/* What the init function leaves in its parameters, in the problem's own types. */
static enum rg_status run_init(struct filling *f, struct rg_error *err)
{
    struct rg_call call;
    enum rg_status s = rg__call_new(&call, f->p, &f->r->c, &f->layout, true, err);
    if (s == RG_OK) {
        rg__call_load(&call, f->base, RG_POISON);
        const struct rg_init_care care = {!f->c->timed || f->p->init_found, f->p->init_found, f->c->timed};
        s = rg__call_init(&call, f->r->where, care, err);
    }
    if (s == RG_INPUT && (!f->c->timed || f->p->init_found)) { /* it knows the timed size alone, or was not meant for
                                                                  this: what the inputs are without it stays */
        rg__call_free(&call);
        rg_error_clear(err);
        f->random = true;
        return RG_OK;
    }
    for (int i = 0; i < f->p->n_params && s == RG_OK; i++) {
        const struct rg_slot *t = &f->layout.slots[i];
        if (f->p->params[i].input.kind != RG_INPUT_INIT || t->input < 0) continue;
        memcpy(f->base + t->input, call.a[i], (size_t)t->bytes);
        if (f->c->seed > 0 && !rg_problem_makes_sizes(f->p, i))
            rg__input_perturb(&f->fill, i, t->elements, f->move, f->base + t->input);
    }
    rg__call_free(&call);
    return s;
}

/* Members that are parameters of their own have their values in the structure, too: kernels may read it as a whole. */
static void fill_members(struct filling *f)
{
    for (int i = 0; i < f->p->n_params; i++) {
        const struct rg_param *base;
        int64_t offset;
        if (f->layout.slots[i].input < 0 || !rg_problem_member(f->p, &f->p->params[i], &base, &offset)) continue;
        const struct rg_slot *whole = &f->layout.slots[base - f->p->params];
        if (whole->input >= 0)
            memcpy(f->base + whole->input + offset, f->base + f->layout.slots[i].input,
                   (size_t)f->p->params[i].elem_bytes);
    }
}

static enum rg_status make_inputs(struct filling *f, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    for (int i = 0; i < f->p->n_params && s == RG_OK; i++)
        if (f->layout.slots[i].input >= 0)
            s = rg__input_fill(&f->fill, i, f->layout.slots[i].elements, f->base + f->layout.slots[i].input, err);
    if (s == RG_OK && has_init_inputs(f->p)) s = run_init(f, err);
    if (s == RG_OK) fill_members(f);
    return s;
}

static void keep_outputs(struct filling *f, const struct rg_call *a)
{
    for (int i = 0; i < f->p->n_params; i++)
        if (f->layout.slots[i].expect >= 0)
            rg__bulk_copy(f->base + f->layout.slots[i].expect, a->a[i], (size_t)f->layout.slots[i].bytes);
}

/* One sequential run. Outputs, and what it allocates, hold other bytes in the second: what it reads of them before it
 * has written it shows in what it gives. */
static enum rg_status run_over(struct filling *f, struct rg_call *c, bool second, double *seconds, struct rg_error *err)
{
    rg__call_load(c, f->base, second ? RG__OTHER_POISON : RG_POISON);
    *f->r->c.fresh = second ? RG__OTHER_POISON : 0;
    enum rg_status s = rg__call_run(c, f->r->where, seconds, err);
    *f->r->c.fresh = -1;
    return s;
}

/* Sequential runs at both placements of the buffers; outputs kept when they can be a reference. */
static enum rg_status run_twice(struct filling *f, double *seconds, bool *finite, bool *valid, char *what, size_t size,
                                struct rg_error *err)
{
    struct rg_call a = {0}, b = {0}, c = {0};
    double t1 = 0, t2 = 0;
    enum rg__finite numbers = RG__FINITE_ALL;
    enum rg_status s = rg__call_new(&a, f->p, &f->r->c, &f->layout, true, err);
    if (s == RG_OK) s = rg__call_new(&b, f->p, &f->r->c, &f->layout, false, err);
    if (s == RG_OK) s = run_over(f, &a, false, &t1, err);
    if (s == RG_OK) *valid = !a.invalid;
    if (s == RG_OK) s = run_over(f, &b, true, &t2, err);
    if (s == RG_OK) s = rg__runs_check(f->p, &f->layout, f->r->where, &a, &b, f->says, &numbers, what, size, err);
    if (s == RG_INPUT &&
        rg__runs_rounded_alike(f->p, &f->layout, &a,
                               &b)) { /* what it makes for all calls was made in the first: once more */
        rg_error_clear(err);
        s = rg__call_new(&c, f->p, &f->r->c, &f->layout, true, err);
        if (s == RG_OK) s = run_over(f, &c, false, NULL, err);
        if (s == RG_OK) s = rg__runs_check(f->p, &f->layout, f->r->where, &c, &b, f->says, &numbers, what, size, err);
    }
    *finite = numbers <= f->least;
    f->most = f->most || numbers == RG__FINITE_MOST;
    if (s == RG_OK && *finite) keep_outputs(f, c.problem ? &c : &a);
    *seconds = t1 < t2 ? t1 : t2;
    if (a.problem) rg__call_free(&a);
    if (b.problem) rg__call_free(&b);
    if (c.problem) rg__call_free(&c);
    return s;
}

/* The oracle's values of a plain real; the sequential one stands where it was never written, or where wider arithmetic
 * leaves the domain. */
static void take_oracle(const struct filling *f, int i, const struct rg_call *o)
{
    enum { BLOCK = 512 };
    const struct rg_slot *t = &f->layout.slots[i];
    enum rg_scalar type = f->p->params[i].elem;
    const unsigned char *seq = f->base + t->expect;
    double *to = (double *)(void *)(f->base + t->oracle), y[BLOCK];
    for (int64_t at = 0; at < t->elements; at += BLOCK) {
        int n = t->elements - at < BLOCK ? (int)(t->elements - at) : BLOCK;
        if (o) rg__call_reals(o, i, at, n, y);
        for (int k = 0; k < n; k++) {
            double x = type == RG_F32 ? ((const float *)(const void *)seq)[at + k]
                                      : ((const double *)(const void *)seq)[at + k];
            to[at + k] = o && isfinite(x) && isfinite(y[k]) ? y[k] : x;
        }
    }
}

/* What the case is compared with: o's values, evaluated in double; o NULL: the sequential ones. */
static void keep_oracle(struct filling *f, const struct rg_call *o)
{
    for (int i = 0; i < f->p->n_params; i++) {
        const struct rg_slot *t = &f->layout.slots[i];
        if (t->oracle < 0) continue;
        if (f->p->params[i].elem == RG_F32 || f->p->params[i].elem == RG_F64) {
            take_oracle(f, i, o);
            continue;
        }
        double *to = (double *)(void *)(f->base + t->oracle);
        struct rg_parts parts;
        rg__parts(f->p, i, &parts);
        for (int64_t e = 0; e < t->elements; e++) {
            int64_t slot = 0;
            for (int k = 0; k < parts.n; k++) {
                if (!rg_scalar_is_real(parts.fields[k].type)) continue;
                for (int64_t v = 0; v < parts.fields[k].count; v++, slot++) {
                    const unsigned char *seq = f->base + t->expect + e * f->p->params[i].elem_bytes +
                                               parts.fields[k].offset +
                                               v * (int64_t)rg_scalar_bytes(parts.fields[k].type);
                    double x = rg__load_real(parts.fields[k].type, seq);
                    /* never written, or where wider arithmetic leaves the domain: the sequential value stands */
                    if (o && isfinite(x)) {
                        double y = rg__call_real(o, i, e, slot);
                        if (isfinite(y)) x = y;
                    }
                    to[e * t->reals + slot] = x;
                }
            }
        }
    }
}

/* Reals that go with other integers (an index that ties decide, a number of steps) are no reference for those of the
 * sequential run. RG_INPUT names one. */
static enum rg_status same_integers(const struct filling *f, const struct rg_call *o, struct rg_error *err)
{
    for (int i = 0; i < f->p->n_params; i++) {
        const struct rg_slot *t = &f->layout.slots[i];
        if (t->expect >= 0 && !rg__call_same_integers(o, i, t->elements, f->base + t->expect))
            return rg_error_set(err, RG_INPUT, "integers of %s depend on how reals are rounded",
                                rg_param_shown(&f->p->params[i]));
    }
    return RG_OK;
}

/* A message of its own: what the program does in double is no fault of the user's, so when it crashes, hangs or gives
 * other integers the sequential values, which are there already, stand. */
static enum rg_status run_oracle(struct filling *f, struct rg_error *err)
{
    struct rg_call o = {0};
    if (!f->r->oracle.handle) return RG_OK;
    enum rg_status s = rg__call_new(&o, f->p, &f->r->oracle, &f->layout, true, err);
    if (s == RG_OK) {
        rg__call_load(&o, f->base, RG_POISON);
        s = rg__call_run(&o, f->r->where, NULL, err);
    }
    if (s == RG_OK) s = same_integers(f, &o, err);
    if (s == RG_OK) keep_oracle(f, &o);
    if (o.problem) rg__call_free(&o);
    return s;
}

enum { MAX_WORK = 20000000 /* beyond it further runs take too long */ };

static struct rg_spread_of spread_of(struct filling *f)
{
    return (struct rg_spread_of){.problem = f->p,
                                 .sizes = f->sizes,
                                 .layout = &f->layout,
                                 .base = f->base,
                                 .c = &f->r->c,
                                 .oracle = f->c->in_double && f->r->oracle.handle ? &f->r->oracle : NULL,
                                 .rounded = &f->r->rounded,
                                 .where = f->r->where};
}

static enum rg_status count_steps(struct filling *f, struct rg_msg *reply, struct rg_error *err)
{
    const struct rg_spread_of o = spread_of(f);
    return rg__count_steps(&o, &reply->steps, &reply->rounds, err);
}

/* How far the C's own results move; the reference stays what it is. */
static enum rg_status measure_spread(struct filling *f, const struct rg_msg *in, struct rg_msg *reply,
                                     struct rg_error *err)
{
    struct rg_spread_of o = spread_of(f);
    o.most_s = in->seconds;
    enum rg_status s = rg__spread_measure(&o, err);
    reply->measure = o.was_rounded;
    return s;
}

static bool may_turn_positive(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->role == RG_ROLE_OUT || q->input.kind != RG_INPUT_DEFAULT) continue;
        if (rg_scalar_is_real(q->elem) || q->elem == RG_STRUCT) return true;
    }
    return false;
}

/* An input that a user can draw from another distribution; arrays before scalars. */
static const struct rg_param *real_input(const struct rg_problem *p)
{
    const struct rg_param *found = NULL;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->role == RG_ROLE_OUT || !rg_scalar_is_real(q->elem) || (found && q->kind == RG_PARAM_SCALAR)) continue;
        if (!found || found->kind == RG_PARAM_SCALAR) found = q;
    }
    return found;
}

/* An array of integers, or an integer, whose zeros are to blame: without them the results are numbers. NULL: none. */
static const struct rg_param *zeros_of(struct filling *f)
{
    enum { MOST = 8 };
    int tried = 0;
    for (int i = 0; i < f->p->n_params && tried < MOST && f->sizes->work <= MAX_WORK; i++) {
        const struct rg_param *q = &f->p->params[i];
        const struct rg_slot *t = &f->layout.slots[i];
        bool size = false;
        for (int k = 0; k < f->p->n_size_params; k++) size = size || f->p->size_params[k] == i;
        if (t->input < 0 || size || q->elem == RG_STRUCT || rg_scalar_is_real(q->elem) || q->elem == RG_BOOL) continue;
        unsigned char *at = f->base + t->input;
        size_t bytes = (size_t)q->elem_bytes;
        int one = 1, zeros = 0;
        for (int64_t e = 0; e < t->elements; e++) {
            if (!rg__all_bytes_are(at + (size_t)e * bytes, bytes, 0)) continue;
            memcpy(at + (size_t)e * bytes, &one,
                   bytes < sizeof one ? bytes : sizeof one); /* little-endian, as every device here */
            zeros++;
        }
        if (!zeros) continue;
        tried++;
        char what[256] = "";
        double seconds;
        bool finite = false, valid;
        struct rg_error err = RG_ERROR_INIT;
        if (run_twice(f, &seconds, &finite, &valid, what, sizeof what, &err) == RG_OK && finite) return q;
        if (make_inputs(f, &err) != RG_OK) return NULL;
    }
    return NULL;
}

/* Inputs of the wanted distribution; when the function leaves the reals on them, tamer ones. An operation without a
 * value on the way (a real too large for the integer it is cast to, 0/0) is undefined in C or differs on a device even
 * where it leaves no trace in the outputs: inputs without one are preferred. */
static enum rg_status try_inputs(struct filling *f, struct rg_msg *reply, bool *finite, char *what, size_t size,
                                 struct rg_error *err)
{
    bool valid = false;
    static const struct {
        bool positive;
        bool plain; /* style 0 */
    } tries[] = {{false, false}, {false, true}, {true, false}, {true, true}};
    enum { N_TRIES = sizeof tries / sizeof *tries };
    int good = -1; /* the first whose outputs are numbers */
    for (int i = 0; i <= N_TRIES; i++) {
        bool last = i == N_TRIES;
        if (last && good < 0) break;
        int k = last ? good : i;
        if (tries[k].positive < f->c->positive) continue; /* known to need it */
        if (k > 0 && !may_turn_positive(f->p)) continue;
        if (tries[k].plain && f->c->seed % RG_N_STYLES == 0) continue;
        f->fill.positive = tries[k].positive;
        f->fill.plain = tries[k].plain;
        enum rg_status s = make_inputs(f, err);
        if (s == RG_OK) s = run_twice(f, &reply->seconds, finite, &valid, what, size, err);
        if (s != RG_OK) return s;
        if (*finite && (valid || last || f->sizes->work > MAX_WORK)) break;
        if (*finite && good < 0) good = k;
        if (*finite && !may_turn_positive(f->p)) break;
    }
    return RG_OK;
}

static enum rg_status fill_expected(struct filling *f, struct rg_msg *reply, struct rg_error *err)
{
    static const double moves[] = {0.1, 1e-3, 1e-5, 1e-7}; /* a matrix may stay definite where it is moved by little */
    enum { N_MOVES = sizeof moves / sizeof *moves };
    char what[256] = "";
    bool finite = false;
    int first = f->p->init_found; /* a whole program's state is no sample: it stays what belongs together */
    enum { ALONE, SAID, MOST, N_RULES };
    for (int rule = ALONE; rule < N_RULES && !finite; rule++) { /* numbers alone where there are inputs for that */
        f->says = rule == ALONE ? 0 : rg__runs_says(f->p);
        f->least = rule == MOST ? RG__FINITE_MOST : RG__FINITE_ALL;
        if ((rule == SAID && !f->says) || (rule == MOST && !f->most)) continue;
        for (int i = first; i < N_MOVES && !finite; i++) {
            if (i > first && (f->c->seed <= 0 || f->random || !has_init_inputs(f->p))) break;
            f->move = moves[i];
            enum rg_status s = try_inputs(f, reply, &finite, what, sizeof what, err);
            if (s != RG_OK) return s;
        }
    }
    reply->positive = f->fill.positive;
    /* a size that nobody asked for, inputs that are meant for another: a matrix with fewer rows than columns, say */
    if (!finite && f->sizes->chosen && !f->random && has_init_inputs(f->p)) {
        reply->undefined = true;
        reply->text = rg_arena_printf(&reply->arena, "with what %s makes, %s gives no usable reference at %s: %s",
                                      f->p->init_function, f->p->function, f->r->where, what);
        return RG_OK;
    }
    if (!finite) {
        f->least = RG__FINITE_ALL;
        const struct rg_param *q = zeros_of(f);
        if (q)
            return rg_error_set(err, RG_INPUT,
                                "%s gives no usable reference at %s: %s. It is a number where %s holds no zeros, for "
                                "example with `#pragma regraph input(%s: uniform(1, 10))`",
                                f->p->function, f->r->where, what, rg_param_shown(q), rg_param_shown(q));
        q = real_input(f->p);
        return rg_error_set(err, RG_INPUT, "%s gives no usable reference at %s: %s%s%s%s", f->p->function, f->r->where,
                            what, q ? ". Choose inputs inside its domain, for example `#pragma regraph input(" : "",
                            q ? rg_param_shown(q) : "", q ? ": uniform(0.1, 1))`" : "");
    }
    keep_oracle(f, NULL);
    rg__spread_unknown(f->p, &f->layout, f->base);
    return RG_OK;
}

/* Inputs only, unless they are there, and on request how long the sequential run takes on them. */
static enum rg_status fill_timed(struct filling *f, bool measure, bool there, struct rg_msg *reply,
                                 struct rg_error *err)
{
    f->fill.positive = f->c->positive;
    enum rg_status s = there ? RG_OK : make_inputs(f, err);
    reply->seconds = -1;
    reply->positive = f->c->positive;
    if (s != RG_OK || (!measure && !f->c->expected)) return s;
    struct rg_call a;
    double total = 0, times[5];
    int n = 0;
    s = rg__call_new(&a, f->p, &f->r->c, &f->layout, true, err);
    while (s == RG_OK && n < (measure ? 5 : 1) && (n == 0 || total < 0.3)) {
        rg__call_load(&a, f->base, RG_POISON);
        s = rg__call_run(&a, f->r->where, &times[n], err);
        total += times[n++];
    }
    for (int i = 1; i < n; i++) /* insertion sort of at most five */
        for (int k = i; k > 0 && times[k] < times[k - 1]; k--) {
            double t = times[k];
            times[k] = times[k - 1];
            times[k - 1] = t;
        }
    if (s == RG_OK && measure) reply->seconds = times[n / 2];
    if (s == RG_OK && f->c->expected) {
        keep_outputs(f, &a);
        keep_oracle(f, NULL);
        rg__spread_unknown(f->p, &f->layout, f->base);
    }
    rg__call_free(&a);
    return s;
}

/* --expect files, where their shape is that of this case. */
static enum rg_status check_expected_files(struct filling *f, struct rg_error *err)
{
    for (int i = 0; i < f->p->n_params; i++)
        if (f->p->params[i].expect_file && f->layout.slots[i].expect < 0) {
            return rg_error_set(err, RG_INPUT, "--expect %s: %s is no output of %s", f->p->params[i].name,
                                f->p->params[i].name, f->p->function);
        } else if (f->p->params[i].expect_file) {
            enum rg_status s = rg__gate_expect_file(f->p, f->sizes, i, &f->layout, f->base, err);
            if (s != RG_OK) return s;
        }
    return RG_OK;
}

static enum rg_status prepare(struct filling *f, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err)
{
    f->fill = (struct rg_fill){.problem = f->p, .sizes = f->sizes, .base = f->w->seed, .seed = f->c->seed};
    reply->kind = RG_MSG_PREPARED;
    enum rg_status s = !f->c->timed && f->c->expected ? fill_expected(f, reply, err)
                                                      : fill_timed(f, in->measure, in->measure_only, reply, err);
    reply->random = f->random;
    return s;
}

/* What is asked of one case. */
static enum rg_status on_case(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err)
{
    if (in->n_cases != 1 || in->cases[0].size >= w->problem->n_sizes)
        return rg_error_set(err, RG_BUG, "'%s' is about one case", rg__msg_word(in->kind));
    const struct rg_case *c = &in->cases[0];
    struct filling f = {.w = w, .r = w->self, .p = w->problem, .sizes = &w->problem->sizes[c->size], .c = c};
    if (!f.r->c.handle) return rg_error_set(err, RG_BUG, "the user's C is not loaded");
    rg__sizes_text(f.p, f.sizes, f.r->where, sizeof f.r->where);
    struct rg_mapping m = {NULL, 0, NULL};
    enum rg_status s = rg__layout(&reply->arena, f.p, f.sizes, true, &f.layout, err);
    if (s == RG_OK && f.layout.bytes > c->at.len) s = rg_error_set(err, RG_BUG, "a case's range is too short");
    if (s == RG_OK) s = rg__shm_map(w->shm, c->at, true, &m, err);
    if (s != RG_OK) return s;
    f.base = m.data;
    s = in->kind == RG_MSG_PREPARE  ? prepare(&f, in, reply, err)
        : in->kind == RG_MSG_ORACLE ? run_oracle(&f, err)
        : in->kind == RG_MSG_SPREAD ? measure_spread(&f, in, reply, err)
        : in->kind == RG_MSG_COUNT  ? count_steps(&f, reply, err)
                                    : check_expected_files(&f, err);
    rg__shm_unmap(&m);
    return s;
}

static enum rg_status handle(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err)
{
    switch (in->kind) {
    case RG_MSG_LIBRARY:
        return library(w, reply, err);
    case RG_MSG_PREPARE:
    case RG_MSG_ORACLE:
    case RG_MSG_SPREAD:
    case RG_MSG_COUNT:
    case RG_MSG_EXPECT:
        return on_case(w, in, reply, err);
    case RG_MSG_GATES:
        return rg__gates(w, in, err);
    default:
        return rg_error_set(err, RG_BUG, "a reference worker was sent '%s'", rg__msg_word(in->kind));
    }
}

const struct rg_worker_role rg__role_reference = {"reference", start, NULL, handle, stop, NULL};
