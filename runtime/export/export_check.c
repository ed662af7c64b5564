/* check.c: the user's C and the exported kernel on the same inputs, compared; and the Makefile that builds it. */
#include "runtime/export/export_internal.h"
#include <math.h>
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    struct rg_buf *out;
    struct rg__names *n;
    const struct rg_problem *p;
    struct rg_arena a;
};

/* In check.c the integer parameters are s[0], s[1], ... */
static const char *size_name(void *arg, const char *name)
{
    struct writer *w = arg;
    for (int i = 0; i < w->p->n_size_params; i++)
        if (!strcmp(w->p->params[w->p->size_params[i]].name, name)) return rg_arena_printf(&w->a, "s[%d]", i);
    return name;
}

static void string_literal(struct rg_buf *out, const char *text)
{
    rg_buf_char(out, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            rg_buf_printf(out, "\\%c", *c);
        else if (*c < ' ' || *c == '?')
            rg_buf_printf(out, "\\%03o", *c);
        else
            rg_buf_char(out, (char)*c);
    }
    rg_buf_char(out, '"');
}

static const char *input_word(enum rg_input_kind k)
{
    switch (k) {
    case RG_INPUT_UNIFORM:
        return "CHECK_UNIFORM";
    case RG_INPUT_NORMAL:
        return "CHECK_NORMAL";
    case RG_INPUT_CONSTANT:
        return "CHECK_CONSTANT";
    case RG_INPUT_AFFINE:
        return "CHECK_AFFINE";
    case RG_INPUT_SORTED:
        return "CHECK_SORTED";
    case RG_INPUT_PREFIX:
        return "CHECK_PREFIX";
    case RG_INPUT_PERMUTATION:
        return "CHECK_PERMUTATION";
    case RG_INPUT_LCG:
        return "CHECK_LCG";
    case RG_INPUT_STRING:
        return "CHECK_STRING";
    case RG_INPUT_BAND:
        return "CHECK_BAND";
    case RG_INPUT_CHOICE:
        return "CHECK_CHOICE";
    case RG_INPUT_PLATEAUS:
        return "CHECK_PLATEAUS";
    case RG_INPUT_ROWS:
        return "CHECK_ROWS";
    case RG_INPUT_DOMINANT:
        return "CHECK_DOMINANT";
    case RG_INPUT_LINKS:
        return "CHECK_LINKS";
    case RG_INPUT_FILE:
        return "CHECK_FILE";
    default:
        return "CHECK_DEFAULT";
    }
}

static void field(struct rg_buf *out, enum rg_scalar type, int64_t offset, int64_t count, const struct rg_input *in)
{
    rg_buf_printf(out, "{%s, %d, %lld, %lld, %s}",
                  rg_scalar_is_real(type)     ? "CHECK_REAL"
                  : rg_scalar_is_signed(type) ? "CHECK_INT"
                                              : "CHECK_UINT",
                  (int)rg_scalar_bytes(type), (long long)offset, (long long)count, input_word(in->kind));
}

static void fields(struct writer *w)
{
    for (int i = 0; i < w->p->n_params; i++) {
        const struct rg_param *q = &w->p->params[i];
        rg_buf_printf(w->out, "static const struct check_field check_fields_%d[] = {", i);
        if (q->elem != RG_STRUCT) {
            field(w->out, q->elem, 0, 1, &q->input);
        } else {
            const struct rg_struct *s = &w->p->structs[q->struct_index];
            for (int k = 0; k < s->n_fields; k++) {
                if (k) rg_buf_str(w->out, ", ");
                field(w->out, s->fields[k].type, s->fields[k].offset, s->fields[k].count,
                      rg_param_input(q, s->fields[k].path));
            }
            if (!s->n_fields) field(w->out, RG_U8, 0, s->bytes, &q->input);
        }
        rg_buf_str(w->out, "};\n");
    }
}

static void parameters(struct writer *w)
{
    fields(w);
    rg_buf_printf(w->out, "enum { CHECK_PARAMS = %d, CHECK_HAS_INIT = %d };\n", w->p->n_params,
                  w->p->init_function ? 1 : 0);
    rg_buf_printf(w->out, "static const struct check_param check_params[CHECK_PARAMS + 1] = {\n");
    for (int i = 0; i < w->p->n_params; i++) {
        const struct rg_param *q = &w->p->params[i];
        int size_index = -1, n_fields = q->elem == RG_STRUCT ? w->p->structs[q->struct_index].n_fields : 1;
        for (int k = 0; k < w->p->n_size_params; k++)
            if (w->p->size_params[k] == i) size_index = k;
        rg_buf_printf(w->out, "    {\"%s\", %d, %d, %d, %lld, %d, check_fields_%d, %s, ", q->name,
                      q->kind == RG_PARAM_ARRAY, q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_IN, size_index,
                      (long long)q->elem_bytes, n_fields ? n_fields : 1, i, input_word(q->input.kind));
        string_literal(w->out, q->input.kind == RG_INPUT_FILE && q->input.file ? q->input.file : "");
        rg_buf_printf(w->out, ", %.17g, %.17g, %.17g},\n", rg__export_rtol(w->p, q), rg__export_atol(w->p, q),
                      q->mismatch_share);
    }
    rg_buf_str(w->out, "    {\"\", 0, 0, -1, 0, 0, 0, 0, \"\", 0, 0, 0}};\n");
}

static void sizes(struct writer *w)
{
    int n = 0;
    for (int i = 0; i < w->p->n_sizes; i++) n += w->p->sizes[i].verify || w->p->sizes[i].timed;
    rg_buf_printf(w->out, "enum { CHECK_SIZES = %d };\nstatic const int64_t check_sizes[CHECK_SIZES + 1][%d] = {", n,
                  w->p->n_size_params ? w->p->n_size_params : 1);
    struct rg_buf text = RG_BUF_INIT, timed = RG_BUF_INIT;
    for (int i = 0; i < w->p->n_sizes; i++) {
        const struct rg_sizes *s = &w->p->sizes[i];
        if (!s->verify && !s->timed) continue;
        rg_buf_str(w->out, "{");
        rg_buf_char(&text, '"');
        for (int k = 0; k < w->p->n_size_params; k++) {
            if (s->values[k] == INT64_MIN)
                rg_buf_printf(w->out, "%sINT64_MIN", k ? ", " : "");
            else
                rg_buf_printf(w->out, "%s%lld", k ? ", " : "", (long long)s->values[k]);
            rg_buf_printf(&text, "%s%s=%lld", k ? " " : "", w->p->params[w->p->size_params[k]].name,
                          (long long)s->values[k]);
        }
        rg_buf_str(w->out, w->p->n_size_params ? "}, " : "0}, ");
        rg_buf_str(&text, w->p->n_size_params ? "\", " : "one size\", ");
        /* A size that is verified and timed is always run. */
        rg_buf_printf(&timed, "%d, ", s->timed && !s->verify);
    }
    rg_buf_printf(
        w->out,
        "{0}};\nstatic const char *const check_size_text[] = {%s\"\"};\nstatic const int check_size_timed[] = {%s0};\n",
        text.data, timed.data);
    rg_buf_release(&text);
    rg_buf_release(&timed);
}

static bool takes_arguments(const struct rg_input *in)
{
    return in->n_args && in->kind != RG_INPUT_FILE && in->kind != RG_INPUT_INIT;
}

static void values(struct writer *w, const struct rg__host *host, const struct rg_input *in)
{
    for (int k = 0; k < in->n_args; k++) {
        rg_buf_printf(w->out, "        v[%d] = (double)(", k);
        if (in->int_args[k])
            rg__print_int(w->out, NULL, w->p, host, in->int_args[k]);
        else if (isfinite(in->real_args[k]))
            rg_buf_printf(w->out, "%.17g", in->real_args[k]);
        else
            rg_buf_str(w->out, "0");
        rg_buf_str(w->out, ");\n");
    }
    if (in->kind == RG_INPUT_CHOICE || in->kind == RG_INPUT_LINKS)
        rg_buf_printf(w->out, "        v[%d] = %d;\n", RG_INPUT_ARGS, in->n_args);
}

static void arguments(struct writer *w, const struct rg__host *host)
{
    rg_buf_str(w->out, "\nstatic int64_t check_elements(int p, const int64_t *s)\n{\n    (void)s;\n    switch (p) {\n");
    for (int i = 0; i < w->p->n_params; i++) {
        if (w->p->params[i].kind != RG_PARAM_ARRAY) continue;
        rg_buf_printf(w->out, "    case %d: return ", i);
        rg__print_elements(w->out, w->p, host, i);
        rg_buf_str(w->out, ";\n");
    }
    rg_buf_str(w->out, "    default: return 1;\n    }\n}\n\n// What a distribution is given.\n"
                       "static void check_arguments(int p, int field, const int64_t *s, double *v)\n{\n    "
                       "(void)field;\n    (void)s;\n    (void)v;\n    switch (p) {\n");
    for (int i = 0; i < w->p->n_params; i++) {
        const struct rg_param *q = &w->p->params[i];
        const struct rg_struct *fields = q->n_members ? &w->p->structs[q->struct_index] : NULL;
        if (!takes_arguments(&q->input) && !fields) continue;
        rg_buf_printf(w->out, "    case %d:\n", i);
        for (int k = 0; fields && k < fields->n_fields; k++) {
            const struct rg_input *in = rg_param_input(q, fields->fields[k].path);
            if (in == &q->input) continue;
            rg_buf_printf(w->out, "        if (field == %d) {\n", k);
            if (takes_arguments(in)) values(w, host, in);
            rg_buf_str(w->out, "        break;\n        }\n");
        }
        if (takes_arguments(&q->input)) values(w, host, &q->input);
        rg_buf_str(w->out, "        break;\n");
    }
    rg_buf_str(w->out, "    default: break;\n    }\n}\n");
}

static bool uses_half(const struct rg_problem *p)
{
    bool half = false;
    for (int i = 0; i < p->n_params; i++) half |= p->params[i].elem == RG_F16;
    for (int i = 0; i < p->n_structs; i++)
        for (int k = 0; k < p->structs[i].n_fields; k++) half |= p->structs[i].fields[k].type == RG_F16;
    return half;
}

static void halves(struct writer *w)
{
    if (uses_half(w->p))
        rg_buf_str(w->out,
                   "\nstatic double check_half(const void *p) { _Float16 h; memcpy(&h, p, 2); return (double)h; }\n"
                   "static void check_set_half(void *p, double v) { _Float16 h = (_Float16)v; memcpy(p, &h, 2); }\n");
    else
        rg_buf_str(w->out, "\nstatic double check_half(const void *p) { (void)p; return 0; }\n"
                           "static void check_set_half(void *p, double v) { (void)p; (void)v; }\n");
}

static const char *c_value(const struct rg_problem *p, const struct rg_param *q)
{
    return q->elem == RG_STRUCT ? p->structs[q->struct_index].c_name : rg_scalar_c(q->elem);
}

static void call(struct writer *w)
{
    const struct rg_problem *p = w->p;
    int order[1024], n = p->n_params <= 1024 ? rg__export_order(p, false, order) : 0, result = rg__result_param(p);
    bool autos = rg__export_checks_auto(p);
    rg_buf_printf(w->out, "\n#ifdef CHECK_AUTO // -DCHECK_AUTO: %s(), which falls back to the C function\n",
                  w->n->function_auto);
    if (autos)
        rg_buf_printf(w->out,
                      "#define CHECKED %1$s\n#define CHECK_MEMBER(...)\n"
                      "#define CHECK_WHO (%2$s() ? \"%1$s(), by CUDA with transfers and start-up,\" : \"%1$s(), which "
                      "called the C function: no kernel ran,\")\n",
                      w->n->function_auto, w->n->function_used);
    else
        rg_buf_printf(w->out, "#error %s cannot be checked here: there is none, or it wants variables of the C file\n",
                      w->n->function_auto);
    rg_buf_printf(w->out,
                  "#else\n#define CHECKED %s\n#define CHECK_MEMBER(...) __VA_ARGS__\n"
                  "#define CHECK_WHO \"CUDA with transfers and start-up\"\n#endif\n",
                  w->n->function);
    if (rg__returns_memory(p) >= 0) {
        rg_buf_str(w->out, "#define CHECK_PLACE(n) (n)\n");
    } else if (p->places) {
        rg__export_check_place(w->out, p);
        rg_buf_str(w->out, "#ifdef CHECK_AUTO\n#define CHECK_PLACE(p) check_place(a, p)\n#else\n"
                           "#define CHECK_PLACE(n) ((void)check_place, (n))\n#endif\n");
    }
    rg_buf_str(w->out, "static void check_call(void **a)\n{\n    (void)a;\n");
    for (int i = 0; i < p->n_params; i++) { /* in the structure itself they are random until now */
        const struct rg_param *base;
        int64_t offset;
        if (rg_problem_member(p, &p->params[i], &base, &offset))
            rg_buf_printf(w->out, "    memcpy((char *)a[%d] + %lld, a[%d], %lld);\n", (int)(base - p->params),
                          (long long)offset, i, (long long)p->params[i].elem_bytes);
    }
    rg_buf_str(w->out, "    ");
    if (result >= 0)
        rg_buf_printf(w->out, "%s r = (%s)", c_value(p, &p->params[result]), c_value(p, &p->params[result]));
    if (result >= 0 && p->params[result].elem == RG_STRUCT) { /* a struct can't be cast */
        w->out->len -= strlen(c_value(p, &p->params[result])) + 2;
        w->out->data[w->out->len] = 0;
    }
    rg_buf_str(w->out, p->places ? "CHECK_PLACE(CHECKED(" : "CHECKED(");
    for (int i = 0, written = 0; i < n; i++) {
        const struct rg_param *q = &p->params[order[i]];
        const char *comma = written++ ? ", " : "";
        /* a member of a structure: NAME_auto finds it for itself */
        if (autos && q->origin == RG_ORIGIN_GLOBAL) rg_buf_printf(w->out, " CHECK_MEMBER(");
        rg_buf_str(w->out, comma);
        if (q->kind == RG_PARAM_ARRAY)
            rg_buf_printf(w->out, "a[%d]", order[i]);
        else
            rg_buf_printf(w->out, "*(%s *)a[%d]", c_value(p, q), order[i]);
        if (autos && q->origin == RG_ORIGIN_GLOBAL) rg_buf_char(w->out, ')');
    }
    rg_buf_str(w->out, p->places ? "));\n" : ");\n");
    if (result >= 0) rg_buf_printf(w->out, "    memcpy(a[%d], &r, sizeof r);\n", result);
    rg_buf_str(w->out, "}\n");
}

/* best.h uses the types of the function's parameters; here they are declared. */
static void types(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    bool structs = false;
    for (int i = 0; i < p->n_params; i++) structs |= p->params[i].elem == RG_STRUCT;
    if (!rg__export_checks_auto(p))
        rg_buf_printf(out, "#define %s_no_auto // the check calls %s() alone\n", p->function, n->function);
    if (structs) rg__export_complex(out, p, true);
    if (structs && p->host_decls) rg_buf_str(out, p->host_decls);
    rg_buf_str(out, "#include \"best.h\"\n\n");
}

void rg__export_check(struct rg_buf *out, struct rg__names *n)
{
    struct writer w = {out, n, n->problem, RG_ARENA_INIT};
    struct rg__host host = {"check_", "check_", &w, size_name, NULL, NULL};
    rg_buf_printf(out,
                  "// Runs %s() of reference.c and %s() of best.cu on the same inputs and compares what they write.\n"
                  "// `make check && ./check`; `./check --timed` takes the timed size too.\n",
                  n->problem->function, n->function);
    rg_buf_str(out, rg__export_check_head);
    types(out, n);
    parameters(&w);
    sizes(&w);
    rg_buf_str(out, rg__export_check_body);
    arguments(&w, &host);
    halves(&w);
    call(&w);
    rg_buf_str(out, rg__export_check_generators);
    rg_arena_release(&w.a);
}

bool rg__export_checks_auto(const struct rg_problem *p)
{
    int *order = rg_xmalloc((size_t)(p->n_params + 1) * sizeof *order), n = rg__auto_order(p, order);
    bool ok = !rg__auto_refused(p) && !rg__auto_parts(p) &&
              rg__returns_memory(p) < 0; /* the check has flat arrays, and no structures around them */
    for (int i = 0; i < n; i++) ok = ok && p->params[order[i]].origin != RG_ORIGIN_GLOBAL;
    for (int i = 0; i < p->n_params; i++)
        ok = ok && !rg__auto_linked(&p->params[i]); /* the check has arrays of its own */
    free(order);
    return ok;
}

void rg__export_makefile(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    bool autos = rg__auto_parts(p) && !p->in_file && !rg__auto_refused(p);
    struct rg_buf with = RG_BUF_INIT, flags = RG_BUF_INIT;
    for (int i = 0; i < p->n_with; i++) rg_buf_printf(&with, " with_%d.o", i + 1);
    for (const char *c = p->cflags ? p->cflags : ""; *c; c++) {
        if (*c == '$')
            rg_buf_str(&flags, "$$");
        else if (*c == '#')
            rg_buf_str(&flags, "\\#");
        else
            rg_buf_char(&flags, *c == '\n' || *c == '\r' ? ' ' : *c);
    }
    rg_buf_printf(out,
                  "# `make` builds best.o (%s) and check, `make run` runs both versions and compares.\n"
                  "# -arch: the device of the search%s\n"
                  "NVCC ?= nvcc\nNVCCFLAGS ?= -O3 -arch=%s\nCFLAGS ?= -O3 -march=native\n\n"
                  "ifdef NO_AUTO # make NO_AUTO=1: without %s_auto()\noverride NVCCFLAGS += -D%s_no_auto\nendif\n\n"
                  "all: best.o check%s\n\n"
                  "best.o: best.cu regraph_host.h\n\t$(NVCC) $(NVCCFLAGS) -c best.cu -o $@\n\n"
                  "# The user's C: preprocessed, as the search ran it; a main of its own makes way.\n"
                  "CFLAGS_REFERENCE = -w -Dmain=reference_main %s\n"
                  "reference.o: reference.c\n\t$(CC) $(CFLAGS) $(CFLAGS_REFERENCE) -c reference.c -o $@\n"
                  "with_%%.o: with_%%.c\n\t$(CC) $(CFLAGS) $(CFLAGS_REFERENCE) -c $< -o $@\n"
                  "check.o: check.c best.h\n\n"
                  "check: check.o reference.o best.o%s\n\t$(NVCC) $(NVCCFLAGS) -o $@ $^ -lm\n\n"
                  "run: check\n\t./check\n\n",
                  n->function,
                  strcmp(n->arch, "native") ? "; of this machine's GPU: make NVCCFLAGS='-O3 -arch=native'"
                                            : " is not known: this machine's GPU",
                  n->arch, p->function, p->function, autos ? " auto.o" : "", flags.data, with.data);
    if (autos)
        rg_buf_printf(out, "# %s(), to be linked with best.o.\nauto.o: auto.c\n\t$(CC) $(CFLAGS) -c auto.c -o $@\n\n",
                      n->function_auto);
    if (rg__export_checks_auto(p))
        rg_buf_printf(out,
                      "# The same of %s(), which works without a GPU too.\n"
                      "check-auto.o: check.c best.h\n\t$(CC) $(CFLAGS) -DCHECK_AUTO -c check.c -o $@\n"
                      "check-auto: check-auto.o reference.o best.o%s\n\t$(NVCC) $(NVCCFLAGS) -o $@ $^ -lm\n\n",
                      n->function_auto, with.data);
    rg_buf_str(out, "clean:\n\trm -f *.o check check-auto\n\n.PHONY: all run clean\n");
    rg_buf_release(&with);
    rg_buf_release(&flags);
}
