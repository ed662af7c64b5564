/* best.h, and everything the exporter writes into a folder. */
#include "runtime/export/export_internal.h"
#include <ctype.h>
#include <rg/file.h>
#include <rg/scalar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is the same for all of them stands beside them. */
static const char host_header[] =
#include "regraph_host.inc"
    ;

/* C's spelling of an element. Typedefs of scalars are written out, so that host_decls need not hold them. */
void rg__c_type(struct rg_buf *out, const struct rg_problem *p, const struct rg_param *q, bool pointer)
{
    if (q->elem == RG_STRUCT)
        rg_buf_str(out, q->struct_index >= 0 && q->struct_index < p->n_structs ? p->structs[q->struct_index].c_name
                                                                               : q->c_elem);
    else if (q->elem == RG_F16)
        rg_buf_str(out, pointer ? "void /* _Float16 */" : "float");
    else
        rg_buf_str(out, rg_scalar_c(q->elem));
}

void rg__c_parameter(struct rg_buf *out, struct rg__names *n, int i)
{
    const struct rg_param *q = &n->problem->params[i];
    bool pointer = q->kind == RG_PARAM_ARRAY;
    if (pointer && q->role == RG_ROLE_IN) rg_buf_str(out, "const ");
    if (pointer && q->c_void)
        rg_buf_str(out, "void");
    else
        rg__c_type(out, n->problem, q, pointer);
    rg_buf_printf(out, " %s%s", pointer ? "*" : "", rg__name(n, q->name));
}

enum which { HOST, DEVICE, AUTO };

static void parameters(struct rg_buf *out, struct rg__names *n, enum which which)
{
    int *order = rg_xmalloc((size_t)(n->problem->n_params + 1) * sizeof *order);
    int count =
        which == AUTO ? rg__auto_order(n->problem, order) : rg__export_order(n->problem, which == DEVICE, order);
    for (int i = 0; i < count; i++) {
        if (i) rg_buf_str(out, ", ");
        rg__c_parameter(out, n, order[i]);
    }
    if (which == DEVICE)
        rg_buf_printf(out, "%scudaStream_t stream", count ? ", " : "");
    else if (!count)
        rg_buf_str(out, "void");
    free(order);
}

static const char *role_word(enum rg_role r)
{
    return r == RG_ROLE_IN ? "read" : r == RG_ROLE_OUT ? "written" : "read and written";
}

/* What the number says that stands for a pointer. */
static void place_line(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    const int places = rg_problem_places(p);
    if (rg__returns_memory(p) >= 0) {
        rg_buf_printf(out, ", a pointer as a number: 0 for %s, -1 NULL",
                      rg__name(n, p->params[rg__returns_memory(p)].name));
        return;
    }
    rg_buf_str(out, ", a pointer as a number: -1 NULL");
    for (int k = 0; k < places; k++) {
        const char *name = rg__name(n, p->params[rg_problem_place(p, k)].name);
        if (places == 1)
            rg_buf_printf(out, ", else r for %s + r", name);
        else
            rg_buf_printf(out, ", %s r %% %d == %d for %s + r / %d", k ? "" : "else", places, k, name, places);
    }
}

static void describe_parameters(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        struct rg_buf line = RG_BUF_INIT;
        rg_buf_printf(&line, "  %s: ", rg__name(n, q->name));
        if (q->kind == RG_PARAM_ARRAY) {
            rg_buf_printf(&line, "%s, ", role_word(q->role));
            bool named = false;
            for (int k = 0; k < q->n_dims; k++) {
                rg_buf_str(&line, k ? " x " : "");
                rg_expr_print(&line, q->dims[k], rg_problem_shown, (void *)(uintptr_t)p);
                named |= n->dims[i][k] != NULL;
            }
            rg_buf_str(&line, " elements");
            for (int k = 0; named && k < q->n_dims; k++) { /* as the C has them */
                rg_buf_str(&line, k ? " x " : " (");
                rg__write_dim(&line, n, i, k);
            }
            rg_buf_str(&line, named ? ")" : "");
        } else if (q->derived) {
            rg_buf_str(&line, "computed, ");
            rg_expr_print(&line, q->derived, rg_problem_shown, (void *)(uintptr_t)p);
        } else {
            rg_buf_str(&line, "by value");
        }
        if (q->origin == RG_ORIGIN_GLOBAL && q->access && *q->access == '*')
            rg_buf_printf(&line, "; what %s points to, passed at the end", rg_param_shown(q));
        else if (q->origin == RG_ORIGIN_GLOBAL)
            rg_buf_printf(&line, "; %s %s, passed at the end",
                          strchr(rg_param_shown(q), '.') ? "the member" : "the file-scope variable", rg_param_shown(q));
        if (q->origin == RG_ORIGIN_RETURNED) rg_buf_str(&line, "; what the C function allocates and returns");
        if (q->origin == RG_ORIGIN_RESULT)
            rg_buf_str(&line, "; what the function returns (the _device variant writes it here)");
        if (q->origin == RG_ORIGIN_RESULT && p->places) place_line(&line, n);
        if (q->elem == RG_F16 && q->kind == RG_PARAM_SCALAR) rg_buf_str(&line, "; _Float16 in C, a float here");
        rg__comment(out, line.data);
        rg_buf_release(&line);
    }
    for (int i = 0; i < p->n_require; i++) {
        struct rg_buf line = RG_BUF_INIT;
        rg_buf_str(&line, "  required: ");
        rg_expr_print(&line, p->require[i], rg_problem_shown, (void *)(uintptr_t)p);
        rg__comment(out, line.data);
        rg_buf_release(&line);
    }
}

/* "float dot_cuda(int n, const float *x);" */
static void declare(struct rg_buf *out, struct rg__names *n, enum which which)
{
    int result = rg__result_param(n->problem);
    if (result < 0) {
        rg_buf_str(out, "void");
    } else if (which == AUTO && n->problem->places) {
        if (rg__returns_const(n->problem)) rg_buf_str(out, "const ");
        rg__c_type(out, n->problem, &n->problem->params[rg_problem_place(n->problem, 0)], false);
        rg_buf_str(out, " *");
    } else {
        rg__c_type(out, n->problem, &n->problem->params[result], false);
    }
    const bool star = out->len && out->data[out->len - 1] == '*';
    rg_buf_printf(out, "%s%s(", star ? "" : " ", which == AUTO ? n->function_auto : n->function);
    if (which == AUTO && rg__auto_parts(n->problem))
        rg__auto_signature(out, n);
    else
        parameters(out, n, which);
    rg_buf_str(out, ");\n");
}

static void describe_auto(struct rg_buf *out, struct rg__names *n, const char *refused)
{
    if (refused) {
        rg_buf_printf(out, "// There is no %s(): %s.\n", n->function_auto, refused);
        return;
    }
    rg_buf_printf(out,
                  "//\n// %s() is %s() with the kernel where it can be used. Without a GPU, after a CUDA error, where "
                  "a requirement does not hold or\n"
                  "// arrays overlap, it calls the C function %s(), which is linked in as it is (not static). "
                  "Environment: REGRAPH_CHECK=1 runs both,\n"
                  "// gives what the C function gives, and keeps to it from the first mismatch on, with a line on "
                  "stderr; REGRAPH_OFF=1 keeps to the C\n"
                  "// function from the start.\n",
                  n->function_auto, n->problem->function, n->problem->function);
    if (n->problem->in_file)
        rg_buf_printf(out, "// It names what the C file alone can name, so that it stands in that file: put this line "
                           "at its end:\n//   #include \"auto.c\"\n");
    else if (rg__auto_parts(n->problem))
        rg_buf_str(
            out, "// auto.c holds it: compile that with the C compiler and link it too. Rows behind pointers all have\n"
                 "// the length said above; where one is NULL the C function is called.\n");
    for (int i = 0; i < n->problem->n_params; i++)
        if (rg__auto_linked(&n->problem->params[i])) {
            rg_buf_str(out, "// It finds file-scope variables by their names, as the C function does.\n");
            break;
        }
}

/* "struct body" of a tagged one, which can be declared again; the others have their name by the user's own typedef
 * alone. */
static bool is_tagged(const char *c_name)
{
    return !strncmp(c_name, "struct ", 7) || !strncmp(c_name, "union ", 6);
}

static bool is_complex(const char *c_name)
{
    return !strncmp(c_name, "rg_complex", 10);
}

/* Each that a parameter has, once. */
static void each_struct(const struct rg_problem *p, void (*fn)(struct rg_buf *out, const char *c_name, int nth),
                        bool (*wanted)(const char *), struct rg_buf *out)
{
    int n = 0;
    for (int i = 0; i < p->n_structs; i++) {
        bool used = false;
        for (int k = 0; k < p->n_params; k++) used |= p->params[k].elem == RG_STRUCT && p->params[k].struct_index == i;
        if (used && wanted(p->structs[i].c_name)) fn(out, p->structs[i].c_name, n++);
    }
}

static void forward(struct rg_buf *out, const char *c_name, int nth)
{
    rg_buf_printf(out, "%s;\n", c_name);
}

/* The tag in the spelling of an argument's type, "const struct csr *". */
static void forward_tag(struct rg_buf *out, const char *type)
{
    static const char *const words[] = {"struct ", "union "};
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(type, words[i]);
        size_t n = at ? strlen(words[i]) : 0;
        bool whole = at && (at == type || at[-1] == ' ');
        while (whole && (at[n] == '_' || isalnum((unsigned char)at[n]))) n++;
        if (whole && n > strlen(words[i])) rg_buf_printf(out, "%.*s;\n", (int)n, at);
    }
}

static void complex_guard(struct rg_buf *out, const char *c_name, int nth)
{
    rg_buf_printf(out, "#define %s_declared\n", c_name);
}

/* Of ReGraph's own: pairs that are laid out and passed as C's complex numbers are. */
static void complex_type(struct rg_buf *out, const char *c_name, int nth)
{
    rg_buf_printf(out,
                  "#ifndef %1$s_declared\n#define %1$s_declared\ntypedef struct { %2$s re, im; } %1$s; // as %2$s "
                  "_Complex\n#endif\n",
                  c_name, strchr(c_name, 'f') ? "float" : "double");
}

void rg__export_complex(struct rg_buf *out, const struct rg_problem *p, bool declared)
{
    each_struct(p, declared ? complex_guard : complex_type, is_complex, out);
}

static bool is_foreign(const char *c_name)
{
    return !is_tagged(c_name) && !is_complex(c_name);
}

static void name_type(struct rg_buf *out, const char *c_name, int nth)
{
    rg_buf_printf(out, "%s%s", nth ? ", " : "// Include this behind the header that declares ", c_name);
}

/* The user's own types are declared once, by the user: this header stands beside them. */
static void declare_types(struct rg_buf *out, const struct rg_problem *p)
{
    struct rg_buf foreign = RG_BUF_INIT;
    each_struct(p, name_type, is_foreign, &foreign);
    if (foreign.len)
        rg_buf_printf(out, "%s.\n", foreign.data);
    else if (rg__auto_parts(p))
        rg_buf_printf(out,
                      "// Include this behind the types of %s()'s own parameters, or define %s_no_auto before it.\n",
                      p->function, p->function);
    rg_buf_release(&foreign);
    each_struct(p, forward, is_tagged, out);
    for (int i = 0; rg__auto_parts(p) && i < p->n_args; i++) forward_tag(out, p->args[i].type);
    rg__export_complex(out, p, false);
}

void rg__export_h(struct rg_buf *out, struct rg__names *n, const char *title)
{
    const struct rg_problem *p = n->problem;
    const char *refused = rg__auto_refused(p);
    rg__comment(out, title);
    rg_buf_printf(out, "//\n// %s() is %s() on the GPU, with %s.\n", n->function, p->function,
                  rg__same_parameters(p) ? "the same parameters"
                                         : "parameters of its own: members of structures and file-scope variables "
                                           "are passed\n// one by one");
    rg_buf_printf(out,
                  "// Pointers are to host memory and must not overlap where one is written, and extents and ends of "
                  "loops must be positive.\n"
                  "// Where it can't work it prints a line and aborts (define %s_fail to change that).\n",
                  n->function);
    describe_parameters(out, n);
    describe_auto(out, n, refused);
    rg_buf_printf(out, "#ifndef %s_H\n#define %s_H\n", n->function, n->function);
    declare_types(out, p);
    rg_buf_str(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    declare(out, n, HOST);
    if (!refused) {
        rg_buf_printf(out, "#ifndef %s_no_auto\n", p->function);
        declare(out, n, AUTO);
        rg_buf_printf(out, "int %s(void); // did the kernel do the work of the last call, and not the C function?\n",
                      n->function_used);
        if (rg__state_kept(p)) rg__export_state_h(out, n);
        rg_buf_str(out, "#endif\n");
    }
    rg_buf_str(
        out, "#if defined(__CUDA_RUNTIME_API_H__) // include <cuda_runtime_api.h> first for this one: device pointers\n"
             "cudaError_t ");
    rg_buf_printf(out, "%s(", n->function_device);
    parameters(out, n, DEVICE);
    rg_buf_str(out, ");\n#endif\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

static enum rg_status write(const char *dir, const char *name, const char *text, size_t len, struct rg_error *err)
{
    char *path = rg_xasprintf("%s/%s", dir, name);
    enum rg_status s = rg_file_write(path, text, len, err);
    free(path);
    return s;
}

void rg_export_use(struct rg_buf *out, const struct rg_problem *p, const char *dir)
{
    const char *refused = rg__auto_refused(p);
    if (refused)
        rg_buf_printf(out, "call %s_cuda() of %s/best.cu (there is no %s_auto(): %s)", p->function, dir, p->function,
                      refused);
    else if (p->in_file)
        rg_buf_printf(out, "put #include \"%s/auto.c\" at the end of %s, link %s/best.cu, call %s_auto() for %s()", dir,
                      p->file, dir, p->function, p->function);
    else
        rg_buf_printf(out, "call %s_auto() for %s(); link %s/best.cu%s%s%s", p->function, p->function, dir,
                      rg__auto_parts(p) ? " and " : "", rg__auto_parts(p) ? dir : "",
                      rg__auto_parts(p) ? "/auto.c" : "");
}

static enum rg_status write_all(const char *dir, struct rg__names *n, const char *plan_text, const char *title,
                                struct rg_error *err)
{
    const struct rg_problem *p = n->problem;
    struct rg_buf b = RG_BUF_INIT;
    enum rg_status s = rg__export_cu(&b, n, plan_text, title, err);
    if (s == RG_OK) s = write(dir, "best.cu", b.data, b.len, err);
    if (s == RG_OK) s = write(dir, "regraph_host.h", host_header, sizeof host_header - 1, err);
    if (s == RG_OK) {
        rg_buf_reset(&b);
        rg__export_h(&b, n, title);
        s = write(dir, "best.h", b.data, b.len, err);
    }
    if (s == RG_OK && p->reference_c) {
        rg_buf_reset(&b);
        rg__export_check(&b, n);
        s = write(dir, "check.c", b.data, b.len, err);
    }
    if (s == RG_OK) {
        rg_buf_reset(&b);
        rg__export_makefile(&b, n);
        s = write(dir, "Makefile", b.data, b.len, err);
    }
    if (s == RG_OK && rg__auto_parts(p) && !rg__auto_refused(p)) {
        rg_buf_reset(&b);
        rg__export_auto_c(&b, n, title);
        s = write(dir, "auto.c", b.data, b.len, err);
    }
    if (s == RG_OK && p->reference_c) s = write(dir, "reference.c", p->reference_c, strlen(p->reference_c), err);
    for (int i = 0; i < p->n_with && s == RG_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, "with_%d.c", i + 1);
        s = write(dir, name, p->with_c[i], strlen(p->with_c[i]), err);
    }
    rg_buf_release(&b);
    return s;
}

enum rg_status rg_export_write(const char *dir, const struct rg_problem *problem, const char *cuda,
                               const char *plan_text, const char *title, const char *arch, struct rg_error *err)
{
    struct rg_plan *plan;
    enum rg_status s = rg_plan_parse(plan_text, &plan, err);
    if (s != RG_OK) return s;
    s = rg_plan_check(plan, problem, NULL, err);
    if (s == RG_OK) {
        struct rg__names names;
        rg__names_init(&names, problem, plan, cuda, plan_text);
        names.arch = arch ? arch : "native";
        struct rg_buf named = RG_BUF_INIT;
        rg__name_extents(&names, title ? title : "", &named);
        s = write_all(dir, &names, plan_text, named.data ? named.data : "", err);
        rg_buf_release(&named);
        rg__names_release(&names);
    }
    rg_plan_free(plan);
    return s;
}
