/* Problems built by hand, as the frontend would build them, for tests of the runtime. */
#ifndef TESTS_RUNTIME_FIXTURE_H
#define TESTS_RUNTIME_FIXTURE_H
#include "base/problem_words.h"
#include <rg/buf.h>
#include <rg/problem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fx_param {
    const char *name, *elem; /* elem: C type; a '*' in decl makes it an array */
    const char *extent;      /* NULL: scalar; "n" or "n, k" */
    enum rg_role role;
    const char *input; /* NULL: default; "uniform 0 99" with integer expressions */
    bool result;
};

static inline const struct rg_expr *fx_expr(struct rg_problem *p, const char *text)
{
    const struct rg_expr *e = NULL;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_expr_parse_all(&p->arena, rg_arena_strdup(&p->arena, text), &e, &err) != RG_OK) {
        fprintf(stderr, "fixture: %s: %s\n", text, err.text);
        abort();
    }
    return e;
}

static inline void fx_input(struct rg_problem *p, struct rg_input *in, const char *text)
{
    in->text = rg_arena_strdup(&p->arena, text);
    char copy[200], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    char *word = strtok_r(copy, " ", &save);
    for (int i = 0; rg__problem_inputs[i]; i++)
        if (!strcmp(word, rg__problem_inputs[i])) in->kind = (enum rg_input_kind)i;
    for (char *a; in->n_args < 3 && (a = strtok_r(NULL, " ", &save));) {
        if (in->kind == RG_INPUT_FILE) {
            in->file = rg_arena_strdup(&p->arena, a);
            break;
        }
        if (strchr(a, '.'))
            in->real_args[in->n_args++] = atof(a);
        else
            in->int_args[in->n_args++] = fx_expr(p, a);
    }
}

/* Prints the shim for these parameters; call: the C statement that calls the function. `real` is the type floats have
 * in this build ("float" or "double"). */
static inline char *fx_shim(const struct rg_problem *p, const char *source, const char *call, bool oracle)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, source);
    rg_buf_str(&b, "\nstruct rg_shim_field{const char*path;int type;long offset;long count;};\n"
                   "struct rg_shim_param{const char*name;int kind;int type;long elem_bytes;int n_fields;const struct "
                   "rg_shim_field*fields;};\nconst struct rg_shim_param rg_shim_params[] = {\n");
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        int type = oracle && q->elem == RG_F32 ? RG_F64 : (int)q->elem;
        long bytes = oracle && q->elem == RG_F32 ? 8 : (long)q->elem_bytes;
        rg_buf_printf(&b, "{\"%s\", %d, %d, %ld, 0, 0},\n", q->name, q->kind, type, bytes);
    }
    rg_buf_printf(&b,
                  "};\nconst int rg_shim_n_params = %d;\nvoid rg_shim_in(void **a) {}\nvoid rg_shim_out(void **a) {}\n"
                  "void rg_shim_call(void **a) { %s; }\n",
                  p->n_params, call);
    if (p->init_function)
        rg_buf_printf(&b, "int rg_shim_has_init = 1; void rg_shim_init(void **a) { %s(a); }\n", p->init_function);
    else
        rg_buf_str(&b, "int rg_shim_has_init = 0; void rg_shim_init(void **a) {}\n");
    char *out = rg_arena_strdup(&((struct rg_problem *)(uintptr_t)p)->arena, b.data);
    rg_buf_release(&b);
    return out;
}

/* params end with a NULL name. sizes: "1048576;1000;37;5" of one size parameter (values of several with ','); first
 * timed. */
static inline struct rg_problem *fx_problem(const char *function, const struct fx_param *params, const char *source,
                                            const char *call, const char *oracle_source, const char *sizes,
                                            double work_per)
{
    struct rg_problem *p = rg_problem_new();
    struct rg_arena *a = &p->arena;
    p->function = p->file = p->prototype = p->function_source = rg_arena_strdup(a, function);
    p->return_c = "void";
    p->context_source = p->device_decls = p->host_decls = p->cflags = "";
    p->klass = "elementwise";
    p->rtol = p->atol = -1;
    while (params[p->n_params].name) p->n_params++;
    p->params = rg_arena_alloc(a, (size_t)p->n_params * sizeof *p->params);
    p->size_params = rg_arena_alloc(a, (size_t)p->n_params * sizeof *p->size_params);
    for (int i = 0; i < p->n_params; i++) {
        struct rg_param *q = &p->params[i];
        *q = (struct rg_param){.name = params[i].name,
                               .role = params[i].role,
                               .struct_index = -1,
                               .c_elem = params[i].elem,
                               .c_decl = params[i].name};
        q->kind = params[i].extent ? RG_PARAM_ARRAY : RG_PARAM_SCALAR;
        q->origin = params[i].result ? RG_ORIGIN_RESULT : RG_ORIGIN_ARG;
        q->c_const = q->role == RG_ROLE_IN;
        if (!rg_scalar_parse(params[i].elem, &q->elem)) abort();
        q->elem_bytes = (int64_t)rg_scalar_bytes(q->elem);
        if (params[i].extent) {
            char copy[100], *save = NULL;
            snprintf(copy, sizeof copy, "%s", params[i].extent);
            q->dims = rg_arena_alloc(a, 4 * sizeof *q->dims);
            for (char *d = strtok_r(copy, ",", &save); d; d = strtok_r(NULL, ",", &save))
                q->dims[q->n_dims++] = fx_expr(p, d);
        } else if (!rg_scalar_is_real(q->elem)) {
            p->size_params[p->n_size_params++] = i;
        }
        if (params[i].input) fx_input(p, &q->input, params[i].input);
    }
    p->sizes = rg_arena_alloc(a, 16 * sizeof *p->sizes);
    char copy[400], *save = NULL;
    snprintf(copy, sizeof copy, "%s", sizes);
    for (char *s = strtok_r(copy, ";", &save); s; s = strtok_r(NULL, ";", &save)) {
        struct rg_sizes *z = &p->sizes[p->n_sizes++];
        z->values = rg_arena_alloc(a, 16 * sizeof *z->values);
        char one[200], *save2 = NULL;
        snprintf(one, sizeof one, "%s", s);
        int k = 0;
        double work = work_per;
        for (char *v = strtok_r(one, ",", &save2); v; v = strtok_r(NULL, ",", &save2)) {
            z->values[k++] = atoll(v);
            work *= (double)z->values[k - 1];
        }
        z->work = work;
        z->timed = p->n_sizes == 1;
        z->verify = p->n_sizes > 1;
        z->on_sim = work <= 4e6;
    }
    p->flops = p->compulsory_read_bytes = p->compulsory_write_bytes = -1;
    p->reference_c = fx_shim(p, source, call, false);
    p->oracle = oracle_source ? RG_ORACLE_F64 : RG_ORACLE_SEQUENTIAL;
    if (oracle_source) p->oracle_c = fx_shim(p, oracle_source, call, true);
    strcpy(p->hash, "0000");
    return p;
}

static const char fx_saxpy_c[] =
    "void saxpy(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i]; }";
static const struct fx_param fx_saxpy_params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                                  {"a", "float", NULL, RG_ROLE_IN, NULL, false},
                                                  {"x", "float", "n", RG_ROLE_IN, NULL, false},
                                                  {"y", "float", "n", RG_ROLE_INOUT, NULL, false},
                                                  {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
static inline struct rg_problem *fx_saxpy(const char *sizes)
{
    struct rg_problem *p = fx_problem("saxpy", fx_saxpy_params, fx_saxpy_c,
                                      "saxpy(*(int*)a[0], *(float*)a[1], a[2], a[3])", NULL, sizes, 3);
    p->flops = 2.0 * (double)p->sizes[0].values[0];
    p->compulsory_read_bytes = 8.0 * (double)p->sizes[0].values[0];
    p->compulsory_write_bytes = 4.0 * (double)p->sizes[0].values[0];
    p->compulsory_counted = true;
    return p;
}
static const char fx_saxpy_cu[] =
    "__global__ void saxpy_k(int n, float a, const float *x, float *y)\n"
    "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n";
static const char fx_saxpy_plan[] = "saxpy_k<<<ceil_div(n, 256), 256>>>(n, a, x, y);\n";
#endif
