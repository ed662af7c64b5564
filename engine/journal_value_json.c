#include "engine/journal.h"
#include "engine/journal_line_json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *rg__real_json(double v)
{
    if (isnan(v)) return json_null();
    if (isinf(v)) return json_string(v > 0 ? "inf" : "-inf");
    return json_real(v);
}

double rg__real_read(const json_t *j, double missing)
{
    if (json_is_number(j)) return json_number_value(j);
    if (json_is_null(j)) return NAN;
    if (json_is_string(j)) return json_string_value(j)[0] == '-' ? -INFINITY : INFINITY;
    return missing;
}

json_t *rg__tuned_json(const struct rg_evidence *row)
{
    json_t *o = json_object();
    for (int i = 0; i < row->n_tuned; i++) {
        const struct rg_tuned *t = &row->tuned[i];
        json_t *values = json_object_get(o, t->name);
        if (!values) {
            values = json_object();
            json_object_set_new(o, t->name, values);
        }
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)t->value);
        json_object_set_new(values, text, json_integer(t->count));
    }
    return o;
}

json_t *rg__evaluation_json(const struct rg_evaluation *e)
{
    json_t *o = json_object(), *c = json_object();
    json_object_set_new(o, "outcome", json_string(rg_outcome_word(e->outcome)));
    json_object_set_new(o, "message", rg_json_text(e->message));
    json_object_set_new(o, "time_us", rg__real_json(e->time_us));
    json_object_set_new(o, "noise_us", rg__real_json(e->noise_us));
    json_object_set_new(o, "total_us", rg__real_json(e->total_us));
    json_object_set_new(o, "estimated", json_boolean(e->estimated));
    json_object_set_new(o, "max_error", rg__real_json(e->max_error));
    json_object_set_new(o, "rms_error", rg__real_json(e->rms_error));
    json_object_set_new(o, "kernel", rg_json_text(e->kernel));
    json_object_set_new(o, "threads", rg__real_json(e->threads));
    json_object_set_new(o, "limiter", json_string(rg_limiter_word(e->limiter)));
    json_object_set_new(o, "ptx", rg_json_text(e->ptx_hash));
    for (int i = 0; i < e->n_counters; i++)
        json_object_set_new(c, e->counters[i].name, rg__real_json(e->counters[i].value));
    json_object_set_new(o, "counters", c);
    return o;
}

json_t *rg__evaluation_clock_json(const struct rg_evaluation *e)
{
    json_t *o = json_object();
    json_object_set_new(o, "compile_s", rg__real_json(e->compile_s));
    if (e->compiled_before) json_object_set_new(o, "compiled_before", json_true());
    json_object_set_new(o, "verify_s", rg__real_json(e->verify_s));
    json_object_set_new(o, "time_s", rg__real_json(e->time_s));
    return o;
}

static void copy_text(char *out, size_t size, const json_t *j)
{
    const char *s = json_string_value(j);
    if (s) snprintf(out, size, "%s", s);
}

void rg__evaluation_read(const json_t *j, const json_t *clock, struct rg_evaluation *e)
{
    memset(e, 0, sizeof *e);
    const char *w = json_string_value(json_object_get(j, "outcome"));
    int o = w ? rg_outcome_parse(w) : -1;
    e->outcome = o < 0 ? RG_OUTCOME_CRASH : (enum rg_outcome)o;
    copy_text(e->message, sizeof e->message, json_object_get(j, "message"));
    e->time_us = rg__real_read(json_object_get(j, "time_us"), 0);
    e->noise_us = rg__real_read(json_object_get(j, "noise_us"), 0);
    e->total_us = rg__real_read(json_object_get(j, "total_us"), -1);
    e->estimated = json_is_true(json_object_get(j, "estimated"));
    e->max_error = rg__real_read(json_object_get(j, "max_error"), NAN);
    e->rms_error = rg__real_read(json_object_get(j, "rms_error"), NAN);
    copy_text(e->kernel, sizeof e->kernel, json_object_get(j, "kernel"));
    e->threads = rg__real_read(json_object_get(j, "threads"), 0);
    w = json_string_value(json_object_get(j, "limiter"));
    int l = w ? rg_limiter_parse(w) : -1;
    e->limiter = l < 0 ? RG_LIMIT_UNKNOWN : (enum rg_limiter)l;
    copy_text(e->ptx_hash, sizeof e->ptx_hash, json_object_get(j, "ptx"));
    const char *key;
    json_t *v;
    json_object_foreach(json_object_get(j, "counters"), key, v)
    {
        if (e->n_counters >= RG_MAX_COUNTERS) break;
        struct rg_counter *c = &e->counters[e->n_counters++];
        snprintf(c->name, sizeof c->name, "%s", key);
        c->value = rg__real_read(v, 0);
    }
    e->compile_s = rg__real_read(json_object_get(clock, "compile_s"), 0);
    e->compiled_before = json_is_true(json_object_get(clock, "compiled_before"));
    e->verify_s = rg__real_read(json_object_get(clock, "verify_s"), 0);
    e->time_s = rg__real_read(json_object_get(clock, "time_s"), 0);
}

/* Length of the UTF-8 sequence at s, 0 when it is none (overlong, surrogate, beyond U+10FFFF, cut). */
static int sequence(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int n = s[0] >= 0xC2 && s[0] <= 0xDF ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))) return 0;
    if (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))) return 0;
    return n;
}

void rg__utf8_clean(char *s)
{
    while (*s) {
        int n = sequence((const unsigned char *)s);
        if (n == 0) *s = '?';
        s += n ? n : 1;
    }
}
