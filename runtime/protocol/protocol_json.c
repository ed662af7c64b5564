/* The messages as JSON. What a message may hold is in two tables: members by name, and per message the members it
 * has. A parsed message holds every member its table asks for, each of the right type and in its range. */
#include "base/json_util.h"
#include "runtime/protocol/protocol.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { INT, REAL, BOOL, TEXT, RANGE, PROGRAM, CASES, COUNTERS, OUTPUTS, TOUCHES };

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
    X(looked, BOOL) X(screened, BOOL) X(estimate_us, REAL) X(low_us, REAL) X(high_us, REAL)
/* clang-format on */
#define X(name, type) M_##name,
    MEMBERS(X)
#undef X
        N_MEMBERS
};

static const struct {
    const char *name;
    enum type type;
    size_t offset;
} members[N_MEMBERS] = {
#define X(name, type) {#name, type, offsetof(struct rg_msg, name)},
    MEMBERS(X)
#undef X
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
    [RG_MSG_SPREAD] = {"spread", {M_cases, END}},
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
    [RG_MSG_DONE] = {"done", {M_seconds, M_sandbox, M_measure, END}},
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

static json_t *range_json(struct rg_range r)
{
    return json_pack("[I, I]", (json_int_t)r.off, (json_int_t)r.len);
}

static json_t *program_json(const struct rg_program *p)
{
    json_t *o = json_object(), *list = json_array();
    json_object_set_new(o, "plan", range_json(p->plan));
    json_object_set_new(o, "ptx", range_json(p->ptx));
    json_object_set_new(o, "cubin", range_json(p->cubin));
    for (int i = 0; i < p->n_kernels; i++) {
        const struct rg_kernel_info *k = &p->kernels[i];
        json_t *e = json_object();
        json_object_set_new(e, "name", rg_json_text(k->name));
        json_object_set_new(e, "lowered", rg_json_text(k->lowered));
        json_object_set_new(e, "regs", json_integer(k->attributes.regs));
        json_object_set_new(e, "shared", json_integer(k->attributes.shared_bytes));
        json_object_set_new(e, "local", json_integer(k->attributes.local_bytes));
        json_object_set_new(e, "const", json_integer(k->attributes.const_bytes));
        json_object_set_new(e, "max_threads", json_integer(k->attributes.max_threads));
        json_object_set_new(e, "spill", json_integer(k->spill_bytes));
        json_array_append_new(list, e);
    }
    json_object_set_new(o, "kernels", list);
    return o;
}

static json_t *cases_json(const struct rg_msg *m)
{
    json_t *list = json_array();
    for (int i = 0; i < m->n_cases; i++) {
        const struct rg_case *c = &m->cases[i];
        json_t *e = json_object();
        json_object_set_new(e, "size", json_integer(c->size));
        json_object_set_new(e, "seed", json_integer(c->seed));
        json_object_set_new(e, "timed", json_boolean(c->timed));
        json_object_set_new(e, "again", json_boolean(c->again));
        json_object_set_new(e, "positive", json_boolean(c->positive));
        json_object_set_new(e, "in_double", json_boolean(c->in_double));
        json_object_set_new(e, "expected", json_boolean(c->expected));
        json_object_set_new(e, "at", range_json(c->at));
        json_array_append_new(list, e);
    }
    return list;
}

static json_t *outputs_json(const struct rg_msg *m)
{
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

static json_t *touches_json(const struct rg_msg *m)
{
    json_t *list = json_array();
    for (int i = 0; i < m->n_touches; i++) {
        const struct rg_touch *t = &m->touches[i];
        json_array_append_new(list, json_pack("[i, b, o, o]", t->param, t->unseen, touch_set_json(&t->read),
                                              touch_set_json(&t->written)));
    }
    return list;
}

static json_t *member_json(const struct rg_msg *m, enum member i)
{
    const void *p = (const char *)m + members[i].offset;
    switch (members[i].type) {
    case INT:
        return json_integer(*(const int64_t *)p);
    case REAL:
        return rg_json_number(*(const double *)p);
    case BOOL:
        return json_boolean(*(const bool *)p);
    case TEXT:
        return rg_json_text(*(const char *const *)p ? *(const char *const *)p : "");
    case RANGE:
        return range_json(*(const struct rg_range *)p);
    case PROGRAM:
        return program_json(p);
    case CASES:
        return cases_json(m);
    case COUNTERS: {
        json_t *o = json_object();
        for (int k = 0; k < m->n_counters; k++)
            json_object_set_new(o, m->counters[k].name, rg_json_number(m->counters[k].value));
        return o;
    }
    case OUTPUTS:
        return outputs_json(m);
    case TOUCHES:
        return touches_json(m);
    }
    return json_null();
}

void rg__msg_print(struct rg_buf *out, const struct rg_msg *m)
{
    json_t *o = json_object();
    json_object_set_new(o, "msg", json_string(kinds[m->kind].word));
    json_object_set_new(o, "id", json_integer(m->id));
    for (const enum member *i = kinds[m->kind].has; *i != END; i++)
        json_object_set_new(o, members[*i].name, member_json(m, *i));
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

static bool get_range(const json_t *v, struct rg_range *out)
{
    if (!json_is_array(v) || json_array_size(v) != 2 || !json_is_integer(json_array_get(v, 0)) ||
        !json_is_integer(json_array_get(v, 1)))
        return false;
    *out = (struct rg_range){json_integer_value(json_array_get(v, 0)), json_integer_value(json_array_get(v, 1))};
    return out->off >= 0 && out->len >= 0;
}

static bool get_int(const json_t *o, const char *key, int64_t lo, int64_t hi, int64_t *out)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_integer(v)) return false;
    *out = json_integer_value(v);
    return *out >= lo && *out <= hi;
}

static const char *get_text(struct rg_arena *a, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return json_is_string(v) ? rg_arena_strdup(a, json_string_value(v)) : NULL;
}

static bool get_program(struct rg_arena *a, const json_t *v, struct rg_program *out)
{
    const json_t *list = json_object_get(v, "kernels");
    if (!json_is_object(v) || !json_is_array(list) || json_array_size(list) > RG_MAX_KERNELS ||
        !get_range(json_object_get(v, "plan"), &out->plan) || !get_range(json_object_get(v, "ptx"), &out->ptx) ||
        !get_range(json_object_get(v, "cubin"), &out->cubin))
        return false;
    out->n_kernels = (int)json_array_size(list);
    out->kernels = rg_arena_alloc(a, (size_t)(out->n_kernels + 1) * sizeof *out->kernels);
    for (int i = 0; i < out->n_kernels; i++) {
        const json_t *e = json_array_get(list, (size_t)i);
        struct rg_kernel_info *k = &out->kernels[i];
        int64_t regs, threads, big = INT64_C(1) << 40;
        k->name = get_text(a, e, "name");
        k->lowered = get_text(a, e, "lowered");
        if (!k->name || !k->lowered || !get_int(e, "regs", 0, 4096, &regs) ||
            !get_int(e, "shared", 0, big, &k->attributes.shared_bytes) ||
            !get_int(e, "local", 0, big, &k->attributes.local_bytes) ||
            !get_int(e, "const", 0, big, &k->attributes.const_bytes) ||
            !get_int(e, "max_threads", 0, 65536, &threads) || !get_int(e, "spill", 0, big, &k->spill_bytes))
            return false;
        k->attributes.regs = (int)regs;
        k->attributes.max_threads = (int)threads;
    }
    return true;
}

static bool get_cases(struct rg_msg *m, const json_t *v)
{
    if (!json_is_array(v) || json_array_size(v) > RG_MAX_CASES) return false;
    m->n_cases = (int)json_array_size(v);
    m->cases = rg_arena_alloc(&m->arena, (size_t)(m->n_cases + 1) * sizeof *m->cases);
    for (int i = 0; i < m->n_cases; i++) {
        const json_t *e = json_array_get(v, (size_t)i);
        struct rg_case *c = &m->cases[i];
        int64_t size, seed;
        if (!get_int(e, "size", 0, 1 << 20, &size) || !get_int(e, "seed", 0, 1 << 20, &seed) ||
            !get_range(json_object_get(e, "at"), &c->at))
            return false;
        c->size = (int)size;
        c->seed = (int)seed;
        c->timed = json_is_true(json_object_get(e, "timed"));
        c->again = json_is_true(json_object_get(e, "again"));
        c->positive = json_is_true(json_object_get(e, "positive"));
        c->in_double = json_is_true(json_object_get(e, "in_double"));
        c->expected = json_is_true(json_object_get(e, "expected"));
    }
    return true;
}

static bool get_counters(struct rg_msg *m, json_t *v)
{
    if (!json_is_object(v) || json_object_size(v) > RG_MAX_COUNTERS) return false;
    m->counters = rg_arena_alloc(&m->arena, RG_MAX_COUNTERS * sizeof *m->counters);
    const char *key;
    json_t *n;
    json_object_foreach(v, key, n)
    {
        struct rg_counter *c = &m->counters[m->n_counters];
        if (strlen(key) >= sizeof c->name || !(json_is_number(n) || json_is_null(n))) return false;
        strcpy(c->name, key);
        c->value = json_is_null(n) ? NAN : json_number_value(n);
        m->n_counters++;
    }
    return true;
}

static bool get_outputs(struct rg_msg *m, const json_t *v)
{
    if (!json_is_array(v) || json_array_size(v) > RG_MAX_CASES) return false;
    m->n_outputs = (int)json_array_size(v);
    m->outputs = rg_arena_alloc(&m->arena, (size_t)(m->n_outputs + 1) * sizeof *m->outputs);
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

static bool get_touches(struct rg_msg *m, const json_t *v)
{
    if (!json_is_array(v) || json_array_size(v) > RG_MAX_TOUCHES) return false;
    m->n_touches = (int)json_array_size(v);
    m->touches = rg_arena_alloc(&m->arena, (size_t)(m->n_touches + 1) * sizeof *m->touches);
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

static bool get_member(struct rg_msg *m, enum member i, json_t *v)
{
    void *p = (char *)m + members[i].offset;
    switch (members[i].type) {
    case INT:
        if (!json_is_integer(v)) return false;
        *(int64_t *)p = json_integer_value(v);
        return true;
    case REAL:
        if (!json_is_number(v) && !json_is_null(v)) return false;
        *(double *)p = json_is_null(v) ? NAN : json_number_value(v);
        return true;
    case BOOL:
        if (!json_is_boolean(v)) return false;
        *(bool *)p = json_is_true(v);
        return true;
    case TEXT:
        if (!json_is_string(v)) return false;
        *(const char **)p = rg_arena_strdup(&m->arena, json_string_value(v));
        return true;
    case RANGE:
        return get_range(v, p);
    case PROGRAM:
        return get_program(&m->arena, v, p);
    case CASES:
        return get_cases(m, v);
    case COUNTERS:
        return get_counters(m, v);
    case OUTPUTS:
        return get_outputs(m, v);
    case TOUCHES:
        return get_touches(m, v);
    }
    return false;
}

static enum rg_status parse(const json_t *o, struct rg_msg *out, struct rg_error *err)
{
    const json_t *word = json_object_get(o, "msg");
    int kind = -1;
    for (int i = 0; i < RG_N_MSGS && json_is_string(word); i++)
        if (!strcmp(kinds[i].word, json_string_value(word))) kind = i;
    if (kind < 0) return bad(err, "unknown \"msg\"");
    out->kind = (enum rg_msg_kind)kind;
    if (!get_int(o, "id", INT64_MIN, INT64_MAX, &out->id)) return bad(err, "\"id\" missing");
    for (const enum member *i = kinds[kind].has; *i != END; i++) {
        json_t *v = json_object_get(o, members[*i].name);
        if (!v || !get_member(out, *i, v)) return bad(err, members[*i].name);
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
