/* The messages as JSON. What a message may hold is in two tables: members by name, and per message the members it
 * has. A parsed message holds every member its table asks for, each of the right type and in its range. */
#include "base/json_members.h"
#include "runtime/protocol/protocol.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum member {
/* clang-format off */
#define MEMBERS(X) \
    X(problem, RANGE) X(source, RANGE) X(room, RANGE) X(arch, TEXT) X(limit_regs, INT) X(limit_shared, INT) \
    X(limit_memory, INT) X(program, PROGRAM) X(other, PROGRAM) X(cases, CASES) X(again, BOOL) X(anchored, BOOL) \
    X(cache_hot, BOOL) X(no_screen, BOOL) X(measure, BOOL) X(measure_only, BOOL) X(seed, INT) X(protocol, INT) \
    X(role, TEXT) X(device, TEXT) X(driver, TEXT) X(sandbox, TEXT) X(simulated, BOOL) X(sms, INT) \
    X(copy_bytes_s, REAL) X(dram_bytes_s, REAL) X(fp32_flop_s, REAL) X(fp64_flop_s, REAL) X(status, TEXT) \
    X(file, TEXT) X(text, TEXT) X(line, INT) X(column, INT) X(outcome, TEXT) X(hash, TEXT) X(limiter, TEXT) \
    X(kernel, TEXT) X(seconds, REAL) X(verify_s, REAL) X(time_s, REAL) X(time_us, REAL) X(other_us, REAL) \
    X(noise_us, REAL) X(total_us, REAL) X(max_error, REAL) X(rms_error, REAL) X(threads, REAL) X(ratio, REAL) \
    X(estimated, BOOL) X(significant, BOOL) X(positive, BOOL) X(random, BOOL) X(undefined, BOOL) X(finished, BOOL) X(disputed, BOOL) \
    X(counters, COUNTERS) X(outputs, OUTPUTS) X(clock_hz, REAL) X(compiler, TEXT) X(touches, TOUCHES) X(peaks, TEXT) \
    X(hardware_counters, TEXT) X(read_bytes, REAL) X(write_bytes, REAL) X(prune, INT) X(shared_per_block, INT) \
    X(regs_per_sm, INT) X(l2_bytes, INT) X(pcie_bytes_s, REAL) X(model, TEXT) X(accuracy, TEXT) \
    X(looked, BOOL) X(screened, BOOL) X(steps, REAL) X(rounds, REAL) X(estimate_us, REAL) X(low_us, REAL) X(high_us, REAL)
/* clang-format on */
#define X(name, type) M_##name,
    MEMBERS(X)
#undef X
        N_MEMBERS
};

#define END N_MEMBERS
static const struct {
    const char *word;
    enum member has[24]; /* ends with END */
} kinds[RG_N_MSGS] = {
    [RG_MSG_PROBLEM] = {"problem", {M_problem, M_seed, END}},
    [RG_MSG_COMPILE] = {"compile", {M_source, M_program, M_room, M_arch, M_limit_regs, M_limit_shared, END}},
    [RG_MSG_LIBRARY] = {"library", {END}},
    [RG_MSG_PREPARE] = {"prepare", {M_cases, M_measure, M_measure_only, END}},
    [RG_MSG_ORACLE] = {"oracle", {M_cases, END}},
    [RG_MSG_SPREAD] = {"spread", {M_cases, M_seconds, END}},
    [RG_MSG_COUNT] = {"count", {M_cases, END}},
    [RG_MSG_EXPECT] = {"expect", {M_cases, END}},
    [RG_MSG_GATES] = {"gates", {M_cases, END}},
    [RG_MSG_TOUCH] = {"touch", {M_cases, END}},
    [RG_MSG_CASES] = {"cases", {M_cases, M_limit_memory, M_cache_hot, M_no_screen, M_read_bytes, M_write_bytes, END}},
    [RG_MSG_RUN] = {"run",
                    {M_program, M_again, M_anchored, M_time_us, M_other_us, M_prune, M_looked, M_screened,
                     M_estimate_us, M_low_us, M_high_us, END}},
    [RG_MSG_DUEL] = {"duel", {M_program, M_other, END}},
    [RG_MSG_PROFILE] = {"profile", {M_program, END}},
    [RG_MSG_LOOK] = {"look", {M_program, M_time_us, M_prune, END}},
    [RG_MSG_READY] = {"ready",
                      {M_protocol,
                       M_role,
                       M_device,
                       M_driver,
                       M_sandbox,
                       M_arch,
                       M_simulated,
                       M_sms,
                       M_copy_bytes_s,
                       M_dram_bytes_s,
                       M_fp32_flop_s,
                       M_fp64_flop_s,
                       M_clock_hz,
                       M_compiler,
                       M_peaks,
                       M_hardware_counters,
                       M_model,
                       M_accuracy,
                       M_shared_per_block,
                       M_regs_per_sm,
                       M_l2_bytes,
                       M_pcie_bytes_s,
                       END}},
    [RG_MSG_DONE] = {"done", {M_seconds, M_sandbox, M_measure, M_steps, M_rounds, END}},
    [RG_MSG_ERROR] = {"error", {M_status, M_file, M_line, M_column, M_text, END}},
    [RG_MSG_COMPILED] = {"compiled", {M_outcome, M_text, M_program, M_hash, M_seconds, END}},
    [RG_MSG_PREPARED] = {"prepared", {M_seconds, M_positive, M_random, M_undefined, M_text, M_finished, END}},
    [RG_MSG_TOUCHED] = {"touched", {M_status, M_file, M_line, M_column, M_text, M_touches, END}},
    [RG_MSG_EVALUATED] = {"evaluated",
                          {M_outcome, M_text, M_time_us, M_noise_us, M_total_us, M_estimated, M_max_error, M_rms_error,
                           M_threads, M_limiter, M_kernel, M_anchored, M_finished, M_disputed, M_verify_s, M_time_s,
                           M_counters, M_outputs, END}},
    [RG_MSG_DUELLED] = {"duelled", {M_outcome, M_text, M_ratio, M_significant, M_time_us, M_other_us, M_finished, END}},
    [RG_MSG_LOOKED] = {"looked", {M_outcome, M_text, M_screened, M_estimate_us, M_low_us, M_high_us, M_seconds, END}},
};

const char *rg__msg_word(enum rg_msg_kind k)
{
    return (unsigned)k < RG_N_MSGS ? kinds[k].word : "?";
}

void rg__msg_init(struct rg_msg *m, enum rg_msg_kind kind, int64_t id)
{
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->id = id;
    m->max_error = m->rms_error = m->read_bytes = m->write_bytes = NAN;
    m->total_us = -1;
}

void rg__msg_release(struct rg_msg *m)
{
    rg_arena_release(&m->arena);
}

/* ---- what is no plain member ---- */

static json_t *range_json(const void *p)
{
    const struct rg_range *r = p;
    return json_pack("[I, I]", (json_int_t)r->off, (json_int_t)r->len);
}

static bool get_range(const json_t *v, void *p, struct rg_arena *a)
{
    struct rg_range *out = p;
    if (!json_is_array(v) || json_array_size(v) != 2 || !json_is_integer(json_array_get(v, 0)) ||
        !json_is_integer(json_array_get(v, 1)))
        return false;
    *out = (struct rg_range){json_integer_value(json_array_get(v, 0)), json_integer_value(json_array_get(v, 1))};
    return out->off >= 0 && out->len >= 0;
}

#define FIELD(in, key_, type_, field)                                                                                  \
    .key = key_, .type = RG_MEMBER_##type_, .at = offsetof(struct in, field), .size = sizeof(((struct in *)0)->field)
#define RANGE_OF(in, field)                                                                                            \
    {                                                                                                                  \
        FIELD(in, #field, OWN, field), .write = range_json, .read = get_range                                          \
    }
#define LIST_OF(in, field, table, limit)                                                                               \
    {                                                                                                                  \
        .key = #field, .type = RG_MEMBER_ITEMS, .at = offsetof(struct in, field),                                      \
        .size = sizeof *((struct in *)0)->field, .count = offsetof(struct in, n_##field), .most = limit, .of = table   \
    }

#define BIG (INT64_C(1) << 40)
static const struct rg_member kernel_members[] = {
    {FIELD(rg_kernel_info, "name", TEXT, name)},
    {FIELD(rg_kernel_info, "lowered", TEXT, lowered)},
    {FIELD(rg_kernel_info, "regs", SMALL, attributes.regs), .most = 4096},
    {FIELD(rg_kernel_info, "shared", INT, attributes.shared_bytes), .most = BIG},
    {FIELD(rg_kernel_info, "local", INT, attributes.local_bytes), .most = BIG},
    {FIELD(rg_kernel_info, "const", INT, attributes.const_bytes), .most = BIG},
    {FIELD(rg_kernel_info, "max_threads", SMALL, attributes.max_threads), .most = 65536},
    {FIELD(rg_kernel_info, "spill", INT, spill_bytes), .most = BIG},
    {.key = NULL},
};
static const struct rg_member program_members[] = {
    RANGE_OF(rg_program, plan),
    RANGE_OF(rg_program, ptx),
    RANGE_OF(rg_program, cubin),
    LIST_OF(rg_program, kernels, kernel_members, RG_MAX_KERNELS),
    {.key = NULL},
};
static const struct rg_member case_members[] = {
    {FIELD(rg_case, "size", SMALL, size), .most = 1 << 20},
    {FIELD(rg_case, "seed", SMALL, seed), .most = 1 << 20},
    {FIELD(rg_case, "timed", BOOL, timed), .how = RG_MEMBER_MAY_LACK},
    {FIELD(rg_case, "again", BOOL, again), .how = RG_MEMBER_MAY_LACK},
    {FIELD(rg_case, "positive", BOOL, positive), .how = RG_MEMBER_MAY_LACK},
    {FIELD(rg_case, "in_double", BOOL, in_double), .how = RG_MEMBER_MAY_LACK},
    {FIELD(rg_case, "expected", BOOL, expected), .how = RG_MEMBER_MAY_LACK},
    {FIELD(rg_case, "may_move", BOOL, may_move), .how = RG_MEMBER_MAY_LACK},
    {FIELD(rg_case, "steps", REAL, steps), .how = RG_MEMBER_IF_SET},
    {FIELD(rg_case, "round", REAL, round), .how = RG_MEMBER_IF_SET},
    RANGE_OF(rg_case, at),
    {.key = NULL},
};

static json_t *program_json(const void *p)
{
    return rg_members_json(program_members, p);
}

static bool get_program(const json_t *v, void *p, struct rg_arena *a)
{
    return rg_members_read(v, program_members, p, a, NULL);
}

static json_t *outputs_json(const void *p)
{
    const struct rg_msg *m = p;
    json_t *list = json_array();
    for (int i = 0; i < m->n_outputs; i++) {
        const struct rg_output_hash *h = &m->outputs[i];
        char hex[17];
        snprintf(hex, sizeof hex, "%016llx", (unsigned long long)h->hash); /* a JSON integer has a sign */
        json_array_append_new(list, json_pack("[i, i, b, s]", h->size, h->seed, h->timed, hex));
    }
    return list;
}

static json_t *touch_set_json(const struct rg_touch_set *s)
{
    json_t *list = json_pack("[I, I]", (json_int_t)s->bytes, (json_int_t)s->per_element);
    for (int d = 0; d < s->n_dims; d++) {
        json_array_append_new(list, json_integer(s->below[d]));
        json_array_append_new(list, json_integer(s->above[d]));
    }
    return list;
}

static json_t *touches_json(const void *p)
{
    const struct rg_msg *m = p;
    json_t *list = json_array();
    for (int i = 0; i < m->n_touches; i++) {
        const struct rg_touch *t = &m->touches[i];
        json_array_append_new(list, json_pack("[i, b, o, o]", t->param, t->unseen, touch_set_json(&t->read),
                                              touch_set_json(&t->written)));
    }
    return list;
}

static json_t *counters_json(const void *p)
{
    const struct rg_msg *m = p;
    return rg_counters_json(m->counters, m->n_counters);
}

static bool get_counters(const json_t *v, void *p, struct rg_arena *a)
{
    struct rg_msg *m = p;
    m->counters = rg_arena_alloc(a, RG_MAX_COUNTERS * sizeof *m->counters);
    return rg_counters_read(v, m->counters, &m->n_counters);
}

static bool get_outputs(const json_t *v, void *p, struct rg_arena *a)
{
    struct rg_msg *m = p;
    if (!json_is_array(v) || json_array_size(v) > RG_MAX_CASES) return false;
    m->n_outputs = (int)json_array_size(v);
    m->outputs = rg_arena_alloc(a, (size_t)(m->n_outputs + 1) * sizeof *m->outputs);
    for (int i = 0; i < m->n_outputs; i++) {
        const json_t *e = json_array_get(v, (size_t)i), *size = json_array_get(e, 0), *seed = json_array_get(e, 1),
                     *hash = json_array_get(e, 3);
        if (!json_is_integer(size) || !json_is_integer(seed) || !json_is_string(hash)) return false;
        json_int_t z = json_integer_value(size), d = json_integer_value(seed);
        const char *hex = json_string_value(hash);
        if (z < 0 || z > 1 << 20 || d < 0 || d > 1 << 20 || strlen(hex) != 16 || strspn(hex, "0123456789abcdef") != 16)
            return false;
        m->outputs[i] =
            (struct rg_output_hash){(int)z, (int)d, json_is_true(json_array_get(e, 2)), strtoull(hex, NULL, 16)};
    }
    return true;
}

static bool get_touch_set(const json_t *v, struct rg_touch_set *out)
{
    size_t n = json_is_array(v) ? json_array_size(v) : 0;
    if (n < 2 || n % 2 || n > 2 + 2 * RG_TOUCH_DIMS) return false;
    for (size_t i = 0; i < n; i++)
        if (!json_is_integer(json_array_get(v, i)) || json_integer_value(json_array_get(v, i)) < 0) return false;
    *out = (struct rg_touch_set){.bytes = json_integer_value(json_array_get(v, 0)),
                                 .per_element = json_integer_value(json_array_get(v, 1)),
                                 .n_dims = (int)(n - 2) / 2};
    for (int d = 0; d < out->n_dims; d++) {
        out->below[d] = json_integer_value(json_array_get(v, (size_t)(2 + 2 * d)));
        out->above[d] = json_integer_value(json_array_get(v, (size_t)(3 + 2 * d)));
    }
    return true;
}

static bool get_touches(const json_t *v, void *p, struct rg_arena *a)
{
    struct rg_msg *m = p;
    if (!json_is_array(v) || json_array_size(v) > RG_MAX_TOUCHES) return false;
    m->n_touches = (int)json_array_size(v);
    m->touches = rg_arena_alloc(a, (size_t)(m->n_touches + 1) * sizeof *m->touches);
    for (int i = 0; i < m->n_touches; i++) {
        const json_t *e = json_array_get(v, (size_t)i), *param = json_array_get(e, 0);
        struct rg_touch *t = &m->touches[i];
        if (!json_is_integer(param) || json_integer_value(param) < 0 || json_integer_value(param) > 1 << 20 ||
            !get_touch_set(json_array_get(e, 2), &t->read) || !get_touch_set(json_array_get(e, 3), &t->written))
            return false;
        t->param = (int)json_integer_value(param);
        t->unseen = json_is_true(json_array_get(e, 1));
    }
    return true;
}

/* A member of each type; TEXT, INT, REAL and BOOL are plain. */
#define OWN(write_, read_, at_) .type = RG_MEMBER_OWN, .at = at_, .write = write_, .read = read_
#define IS_INT(field) FIELD(rg_msg, #field, INT, field)
#define IS_REAL(field) FIELD(rg_msg, #field, REAL, field)
#define IS_BOOL(field) FIELD(rg_msg, #field, BOOL, field)
#define IS_TEXT(field) FIELD(rg_msg, #field, TEXT, field)
#define IS_RANGE(field) FIELD(rg_msg, #field, OWN, field), .write = range_json, .read = get_range
#define IS_PROGRAM(field) FIELD(rg_msg, #field, OWN, field), .write = program_json, .read = get_program
#define IS_COUNTERS(field) .key = #field, OWN(counters_json, get_counters, 0)
#define IS_OUTPUTS(field) .key = #field, OWN(outputs_json, get_outputs, 0)
#define IS_TOUCHES(field) .key = #field, OWN(touches_json, get_touches, 0)
#define IS_CASES(field)                                                                                                \
    .key = #field, .type = RG_MEMBER_ITEMS, .at = offsetof(struct rg_msg, field), .size = sizeof(struct rg_case),      \
    .count = offsetof(struct rg_msg, n_##field), .most = RG_MAX_CASES, .of = case_members

static const struct rg_member members[N_MEMBERS] = {
#define X(name, type) {IS_##type(name)},
    MEMBERS(X)
#undef X
};

void rg__msg_print(struct rg_buf *out, const struct rg_msg *m)
{
    json_t *o = json_object();
    json_object_set_new(o, "msg", json_string(kinds[m->kind].word));
    json_object_set_new(o, "id", json_integer(m->id));
    for (const enum member *i = kinds[m->kind].has; *i != END; i++) rg_member_put(o, &members[*i], m);
    char *line = rg_json_line(o);
    json_decref(o);
    rg_buf_str(out, line);
    rg_buf_char(out, '\n');
    free(line);
}

static enum rg_status bad(struct rg_error *err, const char *what)
{
    return rg_error_set(err, RG_INPUT, "malformed worker message: %s", what);
}

static enum rg_status parse(const json_t *o, struct rg_msg *out, struct rg_error *err)
{
    const json_t *word = json_object_get(o, "msg");
    int kind = -1;
    for (int i = 0; i < RG_N_MSGS && json_is_string(word); i++)
        if (!strcmp(kinds[i].word, json_string_value(word))) kind = i;
    if (kind < 0) return bad(err, "unknown \"msg\"");
    out->kind = (enum rg_msg_kind)kind;
    const json_t *id = json_object_get(o, "id");
    if (!json_is_integer(id)) return bad(err, "\"id\" missing");
    out->id = json_integer_value(id);
    for (const enum member *i = kinds[kind].has; *i != END; i++) {
        if (!rg_member_read(o, &members[*i], out, &out->arena, NULL)) return bad(err, members[*i].key);
    }
    return RG_OK;
}

enum rg_status rg__msg_parse(const char *line, size_t len, struct rg_msg *out, struct rg_error *err)
{
    rg__msg_init(out, RG_MSG_ERROR, 0);
    json_t *o = rg_json_parse(line, len, "worker message", err);
    if (!o) return RG_INPUT;
    enum rg_status s = json_is_object(o) ? parse(o, out, err) : bad(err, "not an object");
    json_decref(o);
    return s;
}

void rg__msg_error(struct rg_msg *m, int64_t id, const struct rg_error *e)
{
    rg__msg_init(m, RG_MSG_ERROR, id);
    m->status = rg_status_name(e->status);
    m->file = e->file;
    m->line = e->line;
    m->column = e->column;
    m->text = e->text;
}

enum rg_status rg__msg_to_error(const struct rg_msg *m, struct rg_error *err)
{
    enum rg_status s = RG_BUG;
    for (int i = RG_OK + 1; i <= RG_BUG; i++)
        if (m->status && !strcmp(rg_status_name((enum rg_status)i), m->status)) s = (enum rg_status)i;
    const char *text = m->text ? m->text : "";
    if (m->file && m->file[0]) return rg_error_at(err, s, m->file, (int)m->line, (int)m->column, "%s", text);
    return rg_error_set(err, s, "%s", text);
}
