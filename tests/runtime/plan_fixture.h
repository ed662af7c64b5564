/* A problem built from a line of text, and a device that writes down what a plan does. */
#ifndef RG_TESTS_PLAN_FIXTURE_H
#define RG_TESTS_PLAN_FIXTURE_H
#include <rg/plan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "n:int alpha:float x:in:float[n] y:inout:float[n,m] b:in:body[n] result:out:float[1]" and sizes in the order of the
 * integer scalars. Roles: in, out, inout; `global:` before a role marks a file-scope variable. "body" is a struct of 16
 * bytes. */
static inline struct rg_problem *make_problem(const char *function, const char *text, const int64_t *values)
{
    struct rg_problem *p = calloc(1, sizeof *p);
    struct rg_arena *a = &p->arena;
    p->function = function;
    p->file = "test.c";
    p->prototype = "";
    p->return_c = "void";
    p->host_decls = "";
    p->device_decls = "";
    p->context_source = "";
    p->cflags = "";
    p->rtol = p->atol = -1;
    p->params = rg_arena_alloc(a, 64 * sizeof *p->params);
    p->size_params = rg_arena_alloc(a, 64 * sizeof *p->size_params);
    p->structs = rg_arena_alloc(a, sizeof *p->structs);
    p->structs[0].c_name = "struct body";
    p->structs[0].bytes = 16;
    p->structs[0].n_fields = 2;
    p->structs[0].fields = rg_arena_alloc(a, 2 * sizeof *p->structs[0].fields);
    p->structs[0].fields[0] = (struct rg_field){.path = "pos", .type = RG_F32, .count = 3};
    p->structs[0].fields[1] = (struct rg_field){.path = "mass", .type = RG_F32, .offset = 12, .count = 1};
    char *copy = rg_arena_strdup(a, text), *save = NULL;
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        struct rg_param *q = &p->params[p->n_params];
        char *part[4] = {NULL}, *s2 = NULL;
        int n = 0;
        for (char *t = strtok_r(w, ":", &s2); t && n < 4; t = strtok_r(NULL, ":", &s2)) part[n++] = t;
        if (n < 2) abort();
        char *type = part[n - 1], *extent = strchr(type, '[');
        q->name = part[0];
        q->struct_index = -1;
        q->role = RG_ROLE_IN;
        for (int i = 1; i < n - 1; i++) {
            if (!strcmp(part[i], "out")) q->role = RG_ROLE_OUT;
            if (!strcmp(part[i], "inout")) q->role = RG_ROLE_INOUT;
            if (!strcmp(part[i], "global")) q->origin = RG_ORIGIN_GLOBAL;
        }
        if (!strcmp(q->name, "result")) q->origin = RG_ORIGIN_RESULT;
        if (extent) *extent++ = 0;
        for (char *c = type + 1; *c; c++)
            if (*c == '_') *c = ' ';
        if (!strcmp(type, "body")) {
            q->elem = RG_STRUCT;
            q->struct_index = 0;
            q->elem_bytes = 16;
            q->c_elem = "struct body";
            p->n_structs = 1;
        } else if (rg_scalar_parse(type, &q->elem)) {
            q->elem_bytes = (int64_t)rg_scalar_bytes(q->elem);
            q->c_elem = rg_scalar_c(q->elem);
        } else {
            abort();
        }
        q->c_const = q->role == RG_ROLE_IN;
        if (extent) {
            extent[strlen(extent) - 1] = 0;
            q->kind = RG_PARAM_ARRAY;
            q->dims = rg_arena_alloc(a, 4 * sizeof *q->dims);
            char *s3 = NULL;
            for (char *t = strtok_r(extent, ",", &s3); t; t = strtok_r(NULL, ",", &s3))
                if (rg_expr_parse_all(a, t, &q->dims[q->n_dims++], NULL) != RG_OK) abort();
        } else if (q->elem != RG_STRUCT && !rg_scalar_is_real(q->elem)) {
            p->size_params[p->n_size_params++] = p->n_params;
        }
        p->n_params++;
    }
    p->n_sizes = 1;
    p->sizes = rg_arena_alloc(a, sizeof *p->sizes);
    p->sizes[0].values = rg_arena_alloc(a, 64 * sizeof *p->sizes[0].values);
    if (p->n_size_params) memcpy(p->sizes[0].values, values, (size_t)p->n_size_params * sizeof *values);
    p->sizes[0].timed = p->sizes[0].verify = true;
    return p;
}

static inline void drop_problem(struct rg_problem *p)
{
    rg_arena_release(&p->arena);
    free(p);
}

/* Every buffer holds one number, which copies and fills move about. */
struct fake {
    struct rg_buf log;
    int n_buffers;
    int64_t content[64];
    int64_t reads[16]; /* what read() answers in turn; the last repeats */
    int n_reads, at_read;
    int n_launches;
    struct rg_plan_ops ops;
};

static enum rg_status fake_scratch(void *arg, const char *name, enum rg_scalar elem, int struct_index, int64_t elements,
                                   int *handle, struct rg_error *err)
{
    struct fake *f = arg;
    *handle = 100 + f->n_buffers;
    f->content[32 + f->n_buffers++ % 32] = -1;
    rg_buf_printf(&f->log, "scratch %s %s %lld\n", name, rg_scalar_c(elem), (long long)elements);
    return RG_OK;
}

static int64_t *fake_content(struct fake *f, int handle)
{
    return &f->content[handle >= 100 ? (handle - 100) % 32 + 32 : handle];
}

static enum rg_status fake_launch(void *arg, const struct rg_plan_launch *l, struct rg_error *err)
{
    struct fake *f = arg;
    f->n_launches++;
    if (f->log.len > 20000) return RG_OK;
    rg_buf_printf(&f->log, "%s%d <%lld,%lld,%lld %lld,%lld,%lld %lld>", l->cooperative ? "coop " : "", l->kernel,
                  (long long)l->grid[0], (long long)l->grid[1], (long long)l->grid[2], (long long)l->block[0],
                  (long long)l->block[1], (long long)l->block[2], (long long)l->shared_bytes);
    if (l->cluster[0])
        rg_buf_printf(&f->log, " cluster %lld,%lld,%lld", (long long)l->cluster[0], (long long)l->cluster[1],
                      (long long)l->cluster[2]);
    for (int i = 0; i < l->n_args; i++) {
        const struct rg_plan_value *v = &l->args[i];
        if (v->kind == RG_ARG_BUFFER) rg_buf_printf(&f->log, " b%d+%lld", v->buffer, (long long)v->offset);
        if (v->kind == RG_ARG_INT) rg_buf_printf(&f->log, " %lld", (long long)v->offset);
        if (v->kind == RG_ARG_REAL) rg_buf_printf(&f->log, " %g", v->real);
        if (v->kind == RG_ARG_SCALAR) rg_buf_printf(&f->log, " p%d", v->param);
    }
    rg_buf_char(&f->log, '\n');
    return RG_OK;
}

static enum rg_status fake_fill(void *arg, int buffer, int64_t elements, enum rg_scalar elem, int64_t value,
                                double real, bool is_real, struct rg_error *err)
{
    struct fake *f = arg;
    *fake_content(f, buffer) = is_real ? (int64_t)real : value;
    rg_buf_printf(&f->log, "fill b%d %lld %s ", buffer, (long long)elements, rg_scalar_c(elem));
    if (is_real)
        rg_buf_printf(&f->log, "%g\n", real);
    else
        rg_buf_printf(&f->log, "%lld\n", (long long)value);
    return RG_OK;
}

static enum rg_status fake_copy(void *arg, int to, int64_t to_offset, int from, int64_t from_offset, int64_t elements,
                                int64_t elem_bytes, struct rg_error *err)
{
    struct fake *f = arg;
    *fake_content(f, to) = *fake_content(f, from);
    rg_buf_printf(&f->log, "copy b%d+%lld b%d+%lld %lld*%lld\n", to, (long long)to_offset, from, (long long)from_offset,
                  (long long)elements, (long long)elem_bytes);
    return RG_OK;
}

static enum rg_status fake_symbol(void *arg, const char *symbol, int from, int64_t from_offset, int64_t elements,
                                  int64_t elem_bytes, struct rg_error *err)
{
    struct fake *f = arg;
    rg_buf_printf(&f->log, "copy %s b%d+%lld %lld*%lld\n", symbol, from, (long long)from_offset, (long long)elements,
                  (long long)elem_bytes);
    return RG_OK;
}

static enum rg_status fake_resident(void *arg, const struct rg_plan_launch *l, int64_t *blocks, struct rg_error *err)
{
    struct fake *f = arg;
    rg_buf_printf(&f->log, "resident %d %lld %lld\n", l->kernel, (long long)(l->block[0] * l->block[1] * l->block[2]),
                  (long long)l->shared_bytes);
    *blocks = 7;
    return RG_OK;
}

static enum rg_status fake_read(void *arg, int buffer, int64_t index, enum rg_scalar elem, int64_t *value,
                                struct rg_error *err)
{
    struct fake *f = arg;
    *value = f->n_reads ? f->reads[f->at_read] : 0;
    if (f->at_read < f->n_reads - 1) f->at_read++;
    rg_buf_printf(&f->log, "read b%d[%lld] %lld\n", buffer, (long long)index, (long long)*value);
    return RG_OK;
}

static enum rg_status fake_read_real(void *arg, int buffer, int64_t index, enum rg_scalar elem, double *value,
                                     struct rg_error *err)
{
    struct fake *f = arg;
    int64_t v = 0;
    enum rg_status s = fake_read(arg, buffer, index, elem, &v, err);
    *value = (double)v / 4;
    return f ? s : RG_BUG;
}

static enum rg_status fake_scalar(void *arg, int param, double *value, struct rg_error *err)
{
    struct fake *f = arg;
    *value = 0.5;
    rg_buf_printf(&f->log, "scalar %d\n", param);
    return RG_OK;
}

static inline void fake_init(struct fake *f)
{
    memset(f, 0, sizeof *f);
    rg_buf_init(&f->log);
    for (int i = 0; i < 32; i++) f->content[i] = i;
    f->ops = (struct rg_plan_ops){f,           fake_scratch,  fake_launch, fake_fill,      fake_copy,
                                  fake_symbol, fake_resident, fake_read,   fake_read_real, fake_scalar};
}

/* sigs for a plan's kernels out of "name lowered name lowered..."; NULL text: none. */
static inline struct rg_kernel_sig *make_sigs(struct rg_arena *a, const struct rg_plan *plan, const char *text,
                                              struct rg_error *err)
{
    if (!text) return NULL;
    struct rg_kernel_sig *sigs = rg_arena_alloc(a, (size_t)(plan->n_kernels + 1) * sizeof *sigs);
    for (int i = 0; i < plan->n_kernels; i++) {
        char *copy = rg_arena_strdup(a, text), *save = NULL;
        for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
            char *lowered = strtok_r(NULL, " ", &save);
            if (strcmp(w, plan->kernels[i])) continue;
            if (rg_kernel_sig_parse(a, w, lowered, &sigs[i], err) != RG_OK) return NULL;
        }
    }
    return sigs;
}

/* Parses, checks and runs; RG_OK or the first failure. */
static inline enum rg_status run_plan(const struct rg_problem *p, const char *kernels, const char *text, struct fake *f,
                                      int64_t max_launches, struct rg_error *err)
{
    struct rg_plan *plan;
    struct rg_arena a = RG_ARENA_INIT;
    enum rg_status s = rg_plan_parse_for(text, p, &plan, err);
    if (s != RG_OK) return s;
    struct rg_kernel_sig *sigs = make_sigs(&a, plan, kernels, err);
    if (kernels && !sigs) s = RG_INPUT;
    if (s == RG_OK) s = rg_plan_check(plan, p, sigs, err);
    if (s == RG_OK && f) s = rg_plan_run(plan, p, &p->sizes[0], sigs, &f->ops, max_launches, err);
    rg_plan_free(plan);
    rg_arena_release(&a);
    return s;
}
#endif
