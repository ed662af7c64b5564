/* problem.json in, results out. */
#include "runtime/kernels/kernels.h"
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum rg_status bad(struct rg_error *err, const char *file, const char *what, const char *name)
{
    return rg_error_set(err, RG_INPUT, "%.120s: %s%s%.60s%s", file, what, name ? " '" : "", name ? name : "",
                        name ? "'" : "");
}

static json_t *of_name(json_t *list, const char *name)
{
    json_t *it;
    size_t k;
    json_array_foreach(list, k, it)
    {
        const char *s = json_string_value(json_object_get(it, "name"));
        if (s && !strcmp(s, name)) return it;
    }
    return NULL;
}

static enum rg_status buffer(struct rg_problem *p, struct rg_param *q, json_t *b, const char *file,
                             struct rg_error *err)
{
    const char *type = json_string_value(json_object_get(b, "type")),
               *role = json_string_value(json_object_get(b, "role")),
               *extent = json_string_value(json_object_get(b, "extent")),
               *init = json_string_value(json_object_get(b, "init"));
    json_t *number = json_object_get(b, "extent");
    char digits[32];
    if (json_is_integer(number)) {
        snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(number));
        extent = digits;
    }
    if (!type || !rg_scalar_parse(type, &q->elem) || q->elem == RG_STRUCT)
        return bad(err, file, "no known \"type\" of buffer", q->name);
    if (!extent) return bad(err, file, "no \"extent\" of buffer", q->name);
    if (role && !strcmp(role, "in"))
        q->role = RG_ROLE_IN;
    else if (role && !strcmp(role, "out"))
        q->role = RG_ROLE_OUT;
    else if (role && !strcmp(role, "inout"))
        q->role = RG_ROLE_INOUT;
    else
        return bad(err, file, "\"role\" is none of in, out, inout for buffer", q->name);
    if (!init && q->role != RG_ROLE_OUT) return bad(err, file, "no \"init\" of buffer", q->name);
    q->kind = RG_PARAM_ARRAY;
    q->c_const = q->role == RG_ROLE_IN;
    q->n_dims = 1;
    q->dims = rg_arena_alloc(&p->arena, sizeof *q->dims);
    q->input.text = init ? rg_arena_strdup(&p->arena, init) : NULL;
    struct rg_error e = RG_ERROR_INIT;
    if (rg_expr_parse_all(&p->arena, rg_arena_strdup(&p->arena, extent), &q->dims[0], &e))
        return rg_error_set(err, RG_INPUT, "%.120s: extent \"%.40s\" of buffer '%.40s': %.60s", file, extent, q->name,
                            e.text);
    return RG_OK;
}

static enum rg_status parameters(json_t *o, struct kernels_problem *k, const char *file, struct rg_error *err)
{
    struct rg_problem *p = k->p;
    json_t *args = json_object_get(o, "args"), *sizes = json_object_get(o, "sizes"),
           *buffers = json_object_get(o, "buffers"), *scalars = json_object_get(o, "scalars");
    int n = p->n_params = (int)json_array_size(args);
    p->params = rg_arena_alloc(&p->arena, sizeof *p->params * (size_t)n);
    p->size_params = rg_arena_alloc(&p->arena, sizeof(int) * (size_t)n);
    k->scalars = rg_arena_alloc(&p->arena, sizeof(double) * (size_t)n);
    enum rg_status s = RG_OK;
    for (int i = 0; i < n && s == RG_OK; i++) {
        struct rg_param *q = &p->params[i];
        const char *name = json_string_value(json_array_get(args, (size_t)i));
        if (!name) return bad(err, file, "\"args\" holds something that is no name", NULL);
        q->name = rg_arena_strdup(&p->arena, name);
        q->struct_index = -1;
        q->elem = RG_I32;
        json_t *scalar = json_object_get(scalars, name), *b = of_name(buffers, name);
        if (json_object_get(sizes, name)) {
            p->size_params[p->n_size_params++] = i;
        } else if (scalar) {
            const char *type = json_string_value(json_object_get(scalar, "type"));
            json_t *value = json_object_get(scalar, "value");
            if (!type || !rg_scalar_parse(type, &q->elem) || q->elem == RG_STRUCT)
                return bad(err, file, "no known \"type\" of scalar", name);
            if (!json_is_number(value)) return bad(err, file, "no \"value\" of scalar", name);
            k->scalars[i] = json_number_value(value);
            if (!rg_scalar_is_real(q->elem)) { /* a plan may compute with it, as with the sizes */
                if (!json_is_integer(value)) return bad(err, file, "no integer as \"value\" of scalar", name);
                p->size_params[p->n_size_params++] = i;
            }
        } else if (b) {
            s = buffer(p, q, b, file, err);
        } else {
            return bad(err, file, "neither in \"sizes\", \"scalars\" nor \"buffers\": argument", name);
        }
        q->elem_bytes = (int64_t)rg_scalar_bytes(q->elem);
        q->c_elem = rg_scalar_c(q->elem);
    }
    json_t *it;
    size_t at;
    if (s != RG_OK) return s;
    json_array_foreach(buffers, at, it)
    {
        const char *name = json_string_value(json_object_get(it, "name"));
        bool used = false;
        for (int i = 0; i < n; i++) used = used || (name && !strcmp(p->params[i].name, name));
        if (!used) return bad(err, file, "not among \"args\": buffer", name ? name : "?");
    }
    return RG_OK;
}

static enum rg_status sizes_of(json_t *o, struct kernels_problem *k, const char *file, struct rg_error *err)
{
    struct rg_problem *p = k->p;
    static const char *const words[KERNELS_SIZES] = {"sizes", "small_sizes"};
    p->n_sizes = KERNELS_SIZES;
    p->sizes = rg_arena_alloc(&p->arena, sizeof *p->sizes * KERNELS_SIZES);
    for (int s = 0; s < KERNELS_SIZES; s++) {
        p->sizes[s].values = rg_arena_alloc(&p->arena, 8 * (size_t)(p->n_params + 1));
        for (int i = 0; i < p->n_size_params; i++) {
            const char *name = p->params[p->size_params[i]].name;
            json_t *fixed = json_object_get(json_object_get(o, "scalars"), name);
            json_t *v = json_object_get(fixed ? fixed : json_object_get(o, words[s]), fixed ? "value" : name);
            if (!json_is_integer(v))
                return rg_error_set(err, RG_INPUT, "%.120s: \"%s\" gives no integer for '%.60s'", file, words[s], name);
            p->sizes[s].values[i] = json_integer_value(v);
        }
    }
    return RG_OK;
}

enum rg_status rg__kernels_problem_read(const char *folder, const char *name, struct kernels_problem **out,
                                        struct rg_error *err)
{
    char *file = rg_xasprintf("%s/problem.json", folder);
    json_error_t je;
    json_t *o = json_load_file(file, JSON_REJECT_DUPLICATES, &je);
    struct kernels_problem *k = rg_xcalloc(1, sizeof *k);
    k->p = rg_problem_new();
    k->name = rg_xstrdup(name);
    k->folder = rg_xstrdup(folder);
    enum rg_status s = RG_OK;
    const char *function = json_string_value(json_object_get(o, "function"));
    json_t *tolerance = json_object_get(o, "tolerance");
    if (!o)
        s = rg_error_set(err, RG_INPUT, "%.120s:%d:%d: %.90s", file, je.line, je.column, je.text);
    else if (!function)
        s = bad(err, file, "no \"function\"", NULL);
    else if (!json_is_array(json_object_get(o, "args")))
        s = bad(err, file, "no list \"args\"", NULL);
    else if (!json_is_array(json_object_get(o, "buffers")))
        s = bad(err, file, "no list \"buffers\"", NULL);
    else if (!json_is_object(json_object_get(o, "sizes")))
        s = bad(err, file, "no object \"sizes\"", NULL);
    else if (!json_is_number(tolerance))
        s = bad(err, file, "no number \"tolerance\"", NULL);
    if (s == RG_OK) {
        k->p->function = rg_arena_strdup(&k->p->arena, function);
        k->tolerance = json_number_value(tolerance);
        s = parameters(o, k, file, err);
    }
    if (s == RG_OK) s = sizes_of(o, k, file, err);
    if (s == RG_OK && k->p->n_params > KERNELS_MAX_BUFFERS) s = bad(err, file, "too many \"args\"", NULL);
    for (int i = 0; i < KERNELS_SIZES; i++) {
        size_t n = (size_t)k->p->n_params + 1;
        k->inputs[i] = rg_xcalloc(n, sizeof(char *));
        k->expected[i] = rg_xcalloc(n, sizeof(double *));
        k->plain[i] = rg_xcalloc(n, sizeof(double *));
    }
    json_decref(o);
    free(file);
    if (s == RG_OK)
        *out = k;
    else
        rg__kernels_problem_free(k);
    return s;
}

void rg__kernels_problem_free(struct kernels_problem *k)
{
    if (!k) return;
    for (int i = 0; i < KERNELS_SIZES; i++) {
        for (int j = 0; j < k->p->n_params; j++) free(k->inputs[i][j]), free(k->expected[i][j]), free(k->plain[i][j]);
        free(k->inputs[i]);
        free(k->expected[i]);
        free(k->plain[i]);
    }
    rg_problem_free(k->p);
    free(k->name);
    free(k->folder);
    free(k);
}

/* ---- results ---- */

/* What no JSON number can be (an infinite error) is null. */
static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static void print(struct rg_buf *b, json_t *o, size_t flags)
{
    char *text = json_dumps(o, flags | JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY);
    rg_buf_printf(b, "%s", text ? text : "null");
    free(text);
    json_decref(o);
}

/* Foreign bytes that are no UTF-8 are shown as '?'. */
static json_t *words(const char *text)
{
    json_t *s = json_string(text);
    if (s) return s;
    char *copy = rg_xstrdup(text);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c > 126) *c = '?';
    s = json_string(copy);
    free(copy);
    return s;
}

void rg__kernels_string_print(struct rg_buf *b, const char *text)
{
    print(b, words(text), 0);
}

void rg__kernels_result_print(struct rg_buf *b, const struct kernels_result *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "desc", words(r->desc));
    json_object_set_new(o, "ok", json_boolean(r->verified && r->timed));
    json_object_set_new(o, "verified", json_boolean(r->verified));
    json_object_set_new(o, "outcome", json_string(rg_outcome_word(r->outcome)));
    if (r->message[0]) json_object_set_new(o, "message", words(r->message));
    if (r->max_error >= 0) json_object_set_new(o, "max_err_small", number(r->max_error));
    if (r->timed && r->simulated) {
        json_object_set_new(o, "estimate_us", number(r->us));
        json_object_set_new(o, "interval_us", json_pack("[o,o]", number(r->low_us), number(r->high_us)));
        json_object_set_new(o, "limiter", json_string(r->limiter));
        json_t *c = json_object();
        for (int i = 0; i < r->n_counters; i++)
            json_object_set_new(c, r->counters[i].name, number(r->counters[i].value));
        json_object_set_new(o, "counters", c);
    } else if (r->timed) {
        json_object_set_new(o, "hot_us", number(r->hot_us));
        json_object_set_new(o, "hot_min_us", number(r->hot_min_us));
        json_object_set_new(o, "cold_us", number(r->cold_us));
        json_object_set_new(o, "reps", json_integer(r->reps));
    }
    json_object_set_new(o, "regs", json_integer(r->regs));
    json_object_set_new(o, "smem", json_integer(r->shared_bytes));
    json_object_set_new(o, "local", json_integer(r->local_bytes));
    json_object_set_new(o, "seconds", number(r->seconds));
    rg__kernels_string_print(b, r->name);
    rg_buf_printf(b, ": ");
    print(b, o, JSON_PRESERVE_ORDER);
}

void rg__kernels_head_print(struct rg_buf *b, const struct rg_device *d, const struct rg_compiler *c, double null_us)
{
    rg_buf_printf(b, "\"format\": \"regraph-kernels/1\", \"device\": ");
    rg__kernels_string_print(b, d->facts.name);
    rg_buf_printf(b, ", \"estimated\": %s, \"arch\": ", d->simulated ? "true" : "false");
    rg__kernels_string_print(b, d->facts.arch);
    rg_buf_printf(b, ", \"nvrtc\": \"%d.%d\"", c->major, c->minor);
    if (!d->simulated) {
        rg_buf_printf(b, ", \"driver\": ");
        rg__kernels_string_print(b, d->facts.driver);
    }
    if (null_us >= 0) rg_buf_printf(b, ", \"null_launch_us\": %.3f", null_us);
}
