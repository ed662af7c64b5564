/* Tables of records that several files have: evaluations, tunables, the links of a chain. */
#include "base/json_members.h"
#include <math.h>
#include <rg/candidate.h>
#include <rg/outcome.h>
#include <stdio.h>
#include <string.h>

#define M(of, key_, type_, field)                                                                                      \
    .key = key_, .type = RG_MEMBER_##type_, .at = offsetof(struct of, field), .size = sizeof(((struct of *)0)->field)

/* ---- counters ---- */

json_t *rg_counters_json(const struct rg_counter *c, int n)
{
    json_t *o = json_object();
    for (int i = 0; i < n; i++) json_object_set_new(o, c[i].name, rg_json_number(c[i].value));
    return o;
}

bool rg_counters_read(const json_t *v, struct rg_counter *c, int *n)
{
    const char *key;
    json_t *x;
    *n = 0;
    if (!json_is_object(v) || json_object_size(v) > RG_MAX_COUNTERS) return false;
    json_object_foreach((json_t *)(uintptr_t)v, key, x)
    {
        if (strlen(key) >= sizeof c->name || !(json_is_number(x) || json_is_null(x))) return false;
        snprintf(c[*n].name, sizeof c->name, "%s", key);
        c[(*n)++].value = json_is_null(x) ? NAN : json_number_value(x);
    }
    return true;
}

/* ---- evaluations ---- */

static json_t *write_counters(const void *s)
{
    const struct rg_evaluation *e = s;
    return rg_counters_json(e->counters, e->n_counters);
}

static bool read_counters(const json_t *v, void *s, struct rg_arena *a)
{
    struct rg_evaluation *e = s;
    return rg_counters_read(v, e->counters, &e->n_counters);
}

#define X(name, word, text) word,
static const char *const outcomes[] = {RG_OUTCOME_MAP(X) NULL};
static const char *const limiters[] = {RG_LIMITER_MAP(X) NULL};
#undef X

const struct rg_member rg_evaluation_members[] = {
    {M(rg_evaluation, "outcome", WORD, outcome), .words = outcomes},
    {M(rg_evaluation, "message", CHARS, message)},
    {M(rg_evaluation, "time_us", ANY_REAL, time_us)},
    {M(rg_evaluation, "noise_us", ANY_REAL, noise_us)},
    {M(rg_evaluation, "total_us", ANY_REAL, total_us)},
    {M(rg_evaluation, "estimated", BOOL, estimated)},
    {M(rg_evaluation, "max_error", ANY_REAL, max_error)},
    {M(rg_evaluation, "rms_error", ANY_REAL, rms_error)},
    {M(rg_evaluation, "kernel", CHARS, kernel)},
    {M(rg_evaluation, "threads", ANY_REAL, threads)},
    {M(rg_evaluation, "limiter", WORD, limiter), .words = limiters},
    {M(rg_evaluation, "ptx", CHARS, ptx_hash)},
    {.key = "counters", .type = RG_MEMBER_OWN, .write = write_counters, .read = read_counters},
    {.key = NULL},
};

const struct rg_member rg_evaluation_clock_members[] = {
    {M(rg_evaluation, "compile_s", ANY_REAL, compile_s)},
    {M(rg_evaluation, "compiled_before", BOOL, compiled_before), .how = RG_MEMBER_IF_SET},
    {M(rg_evaluation, "verify_s", ANY_REAL, verify_s)},
    {M(rg_evaluation, "time_s", ANY_REAL, time_s)},
    {.key = NULL},
};

void rg_evaluation_read(const json_t *j, const json_t *clock, struct rg_evaluation *e)
{
    *e = (struct rg_evaluation){
        .outcome = RG_OUTCOME_CRASH, .total_us = -1, .max_error = NAN, .rms_error = NAN, .limiter = RG_LIMIT_UNKNOWN};
    rg_members_read(j, rg_evaluation_members, e, NULL, NULL);
    rg_members_read(clock, rg_evaluation_clock_members, e, NULL, NULL);
}

/* ---- tunables ---- */

static const struct rg_member tunable[] = {
    {M(rg_tunable, "name", TEXT, name)},
    {M(rg_tunable, "values", INTS, values), .count = offsetof(struct rg_tunable, n_values), .most = 4096},
    {M(rg_tunable, "start", INT, start)},
    {.key = NULL},
};

static json_t *write_constraints(const void *s)
{
    const struct rg_tunables *t = s;
    json_t *list = t->n_constraints ? json_array() : NULL;
    for (int i = 0; i < t->n_constraints; i++) {
        struct rg_buf b = RG_BUF_INIT;
        rg_expr_print(&b, t->constraints[i], NULL, NULL);
        json_array_append_new(list, rg_json_text(b.data));
        rg_buf_release(&b);
    }
    return list;
}

enum { MOST_CONSTRAINTS = 64 };

static bool read_constraints(const json_t *v, void *s, struct rg_arena *a)
{
    struct rg_tunables *t = s;
    size_t n = json_array_size(v);
    if (!json_is_array(v) || n > MOST_CONSTRAINTS) return false;
    t->constraints = rg_arena_alloc(a, (n + 1) * sizeof *t->constraints);
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(v, i));
        if (!text || rg_expr_parse_all(a, rg_arena_strdup(a, text), &t->constraints[i], NULL) != RG_OK) return false;
        t->n_constraints++;
    }
    return true;
}

const struct rg_member rg_tunables_members[] = {
    {.key = "tunables",
     .type = RG_MEMBER_ITEMS,
     .how = RG_MEMBER_MAY_LACK,
     .at = offsetof(struct rg_tunables, items),
     .size = sizeof(struct rg_tunable),
     .count = offsetof(struct rg_tunables, n),
     .most = RG_MAX_TUNABLES,
     .of = tunable},
    {.key = "require",
     .type = RG_MEMBER_OWN,
     .how = RG_MEMBER_MAY_LACK,
     .write = write_constraints,
     .read = read_constraints},
    {.key = NULL},
};

const struct rg_member rg_link_members[] = {
    {M(rg_link, "step", TEXT, step)},
    {M(rg_link, "site", TEXT, site)},
    {.key = NULL},
};
