/* best.cu: the kernels as they were verified, and around them the plan as two host functions. */
#include "runtime/export/export_internal.h"
#include <rg/scalar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rg__write_value_type(struct rg__writer *w, struct rg_buf *out, const struct rg_param *q)
{
    if (q->elem == RG_F16)
        rg_buf_str(out, "float");
    else
        rg__print_elem(out, &w->n->host, q->elem, q->struct_index);
}

void rg__write_result_type(struct rg__writer *w)
{
    const int result = rg__result_param(w->p);
    if (result < 0)
        rg_buf_str(w->out, "void");
    else
        rg__write_value_type(w, w->out, &w->p->params[result]);
}

void rg__write_parameter(struct rg__writer *w, struct rg_buf *out, int i)
{
    const struct rg_param *q = &w->p->params[i];
    if (q->kind == RG_PARAM_SCALAR) {
        rg__write_value_type(w, out, q);
        rg_buf_printf(out, " %s", rg__name(w->n, q->name));
        return;
    }
    if (q->role == RG_ROLE_IN) rg_buf_str(out, "const ");
    rg__print_elem(out, &w->n->host, q->elem, q->struct_index);
    rg_buf_printf(out, " *%s", rg__name(w->n, q->name));
}

static void structs(struct rg__writer *w)
{
    for (int i = 0; i < w->p->n_structs; i++) {
        const struct rg_struct *s = &w->p->structs[i];
        rg_buf_printf(w->out, "// %s, as the caller lays it out\nstruct %ss%d {", s->c_name, w->n->prefix, i);
        if (rg__struct_is_regular(s)) {
            for (int k = 0; k < s->n_fields; k++) {
                rg_buf_printf(w->out, " %s f%d", rg_scalar_cuda(s->fields[k].type), k);
                if (s->fields[k].count > 1) rg_buf_printf(w->out, "[%lld]", (long long)s->fields[k].count);
                rg_buf_char(w->out, ';');
            }
        } else {
            rg_buf_printf(w->out, " unsigned char bytes[%lld];", (long long)s->bytes);
        }
        rg_buf_printf(w->out, " };\nstatic_assert(sizeof(%ss%d) == %lld, \"layout of %s\");\n", w->n->prefix, i,
                      (long long)s->bytes, s->c_name);
    }
}

int rg__write_size_names(struct rg__writer *w, const char *before)
{
    int n = 0;
    for (int i = 0; i < w->p->n_size_params; i++) {
        const struct rg_param *q = &w->p->params[w->p->size_params[i]];
        if (q->origin != RG_ORIGIN_DERIVED)
            rg_buf_printf(w->out, "%s%s%s", n++ ? ", " : "", before, rg__name(w->n, q->name));
    }
    for (int i = 0; i < w->p->n_params; i++)
        if (rg_problem_makes_sizes(w->p, i))
            rg_buf_printf(w->out, "%s%s%s", n++ ? ", " : "", *before ? "double " : "",
                          rg__name(w->n, w->p->params[i].name));
    return n;
}

void rg__write_derived(struct rg__writer *w, bool as_int64)
{
    for (int i = 0; i < w->p->n_size_params; i++) {
        const struct rg_param *q = &w->p->params[w->p->size_params[i]];
        if (q->origin != RG_ORIGIN_DERIVED) continue;
        rg_buf_str(w->out, "    const ");
        if (as_int64)
            rg_buf_str(w->out, "int64_t");
        else
            rg__write_value_type(w, w->out, q);
        rg_buf_printf(w->out, " %s = ", rg__name(w->n, q->name));
        rg__print_int(w->out, NULL, w->p, &w->n->host, q->derived);
        rg_buf_printf(w->out, ";\n    (void)%s;\n", rg__name(w->n, q->name)); /* not every function needs it */
    }
}

void rg__write_arguments(struct rg__writer *w, const int *order, int n)
{
    for (int i = 0; i < n; i++)
        rg_buf_printf(w->out, "%s%s", i ? ", " : "", rg__name(w->n, w->p->params[order[i]].name));
}

static void settle(struct rg__writer *w)
{
    int n = w->p->n_params, *group = rg_xmalloc((size_t)(n + 1) * sizeof *group);
    rg__plan_swap_groups(w->plan, w->p, group);
    for (int g = 0; g < n; g++) {
        if (group[g] != g) continue;
        struct rg_buf now = RG_BUF_INIT, own = RG_BUF_INIT;
        int members = 0;
        for (int i = g; i < n; i++) {
            if (group[i] != g) continue;
            rg_buf_printf(&now, "%s%s", members ? ", " : "", rg__name(w->n, w->p->params[i].name));
            rg_buf_printf(&own, "%s%sown_%s", members ? ", " : "", w->n->prefix, w->p->params[i].name);
            members++;
        }
        rg_buf_str(w->out, "        ");
        rg__print_elem(w->out, &w->n->host, w->p->params[g].elem, w->p->params[g].struct_index);
        rg_buf_printf(w->out, " *%snow%d[] = {%s}, *const %sown%d[] = {%s};\n", w->n->prefix, g, now.data, w->n->prefix,
                      g, own.data);
        rg_buf_printf(w->out, "        %sTRY(%ssettle(%snow%d, %sown%d, %d, ", w->n->prefix, w->n->host.helpers,
                      w->n->prefix, g, w->n->prefix, g, members);
        rg__write_elements(w, g);
        rg_buf_printf(w->out, ", %sstream));\n", w->n->prefix);
        rg_buf_release(&now);
        rg_buf_release(&own);
    }
    free(group);
}

static void own_pointers(struct rg__writer *w)
{
    int n = w->p->n_params, *group = rg_xmalloc((size_t)(n + 1) * sizeof *group);
    rg__plan_swap_groups(w->plan, w->p, group);
    for (int i = 0; i < n; i++) {
        if (group[i] < 0) continue;
        rg_buf_str(w->out, "    ");
        rg__print_elem(w->out, &w->n->host, w->p->params[i].elem, w->p->params[i].struct_index);
        rg_buf_printf(w->out, " *const %sown_%s = %s;\n", w->n->prefix, w->p->params[i].name,
                      rg__name(w->n, w->p->params[i].name));
    }
    free(group);
}

static int scratch_buffers(struct rg__writer *w)
{
    int n = 0;
    for (int i = 0; i < w->plan->n; i++) {
        const struct rg_plan_stmt *s = w->plan->stmts[i];
        if (s->kind != RG_PLAN_SCRATCH) continue;
        rg_buf_str(w->out, "    ");
        rg__print_elem(w->out, &w->n->host, s->elem, s->struct_index);
        rg_buf_printf(w->out, " *%s = NULL;\n", rg__name(w->n, s->a));
        n++;
    }
    if (n) rg_buf_printf(w->out, "    void *%smem[%d] = {NULL};\n", w->n->prefix, n);
    return n;
}

static void device_parameters(struct rg__writer *w)
{
    for (int i = 0; i < w->n_args_device; i++) {
        rg__write_parameter(w, w->out, w->args_device[i]);
        rg_buf_str(w->out, ", ");
    }
    rg_buf_printf(w->out, "cudaStream_t %sstream)\n{\n", w->n->prefix);
}

/* The plan. */
static void device_work(struct rg__writer *w)
{
    const char *x = w->n->prefix;
    rg__write_derived(w, false);
    rg__counts_begin(w);
    rg_buf_printf(w->out, "    cudaError_t %serr = cudaSuccess;\n", x);
    int n_scratch = scratch_buffers(w);
    own_pointers(w);
    rg_buf_str(w->out, "    {\n");
    rg__plan_print(w->out, w->plan, w->p, &w->n->host, 2);
    settle(w);
    rg_buf_printf(w->out, "        goto %sdone;\n    }\n%sdone:\n", x, x);
    for (int i = n_scratch - 1; i >= 0; i--)
        rg_buf_printf(w->out, "    if (%smem[%d]) cudaFreeAsync(%smem[%d], %sstream);\n", x, i, x, i, x);
    rg_buf_printf(w->out, "    return %serr;\n}\n\n", x);
    rg__counts_end(w);
}

/* PREFIXqueue: the work on device pointers whose arguments were checked; of a plan with loops its CUDA graph. */
static void device_function(struct rg__writer *w)
{
    const char *x = w->n->prefix;
    bool replays = rg__export_replays(w->plan);
    if (replays) {
        rg_buf_printf(w->out, "// Every launch, on a stream.\nstatic cudaError_t %slaunches(", x);
        device_parameters(w);
        device_work(w);
    }
    rg_buf_printf(w->out, "// The work, on a stream.\nstatic cudaError_t %squeue(", x);
    device_parameters(w);
    if (replays) {
        rg__write_replay(w);
        rg_buf_str(w->out, "}\n\n");
    } else {
        device_work(w);
    }
    rg_buf_printf(w->out, "// On device pointers, queued on a stream.%s\nextern \"C\" cudaError_t %s(",
                  replays ? " The time measured is that of calls from the third on, with the same arguments." : "",
                  w->n->function_device);
    device_parameters(w);
    rg_buf_str(w->out, "    if (");
    rg__write_refused(w, true);
    rg_buf_printf(w->out, ") return cudaErrorInvalidValue;\n    return %squeue(", x);
    rg__write_arguments(w, w->args_device, w->n_args_device);
    rg_buf_printf(w->out, "%s%sstream);\n}\n\n", w->n_args_device ? ", " : "", x);
}

static bool any_inout(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].kind == RG_PARAM_ARRAY && p->params[i].role == RG_ROLE_INOUT) return true;
    return false;
}

/* Is the array on the device already, and stays there? */
static bool kept(const struct rg__writer *w, int param)
{
    return w->keeps && rg__state_keeps(w->p, param);
}

/* "float *rg_d_x = NULL;" */
static void device_pointers(struct rg__writer *w)
{
    for (int k = 0; k < w->n_args_device; k++) {
        const struct rg_param *q = &w->p->params[w->args_device[k]];
        if (q->kind != RG_PARAM_ARRAY) continue;
        rg_buf_str(w->out, "    ");
        rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
        if (kept(w, w->args_device[k]))
            rg_buf_printf(w->out, " *%sd_%s = %skept.%s;\n", w->n->prefix, q->name, w->n->prefix, q->name);
        else
            rg_buf_printf(w->out, " *%sd_%s = NULL;\n", w->n->prefix, q->name);
    }
}

static void to_device(struct rg__writer *w, int result)
{
    const char *x = w->n->prefix;
    for (int k = 0; k < w->n_args_device; k++) {
        int i = w->args_device[k];
        const struct rg_param *q = &w->p->params[i];
        if (q->kind != RG_PARAM_ARRAY || kept(w, i)) continue;
        rg_buf_printf(w->out, "        %sTRY(cudaMalloc((void **)&%sd_%s, ", x, x, q->name);
        rg__write_bytes(w, i);
        rg_buf_str(w->out, "));\n");
        if (i == result) continue;
        /* Outputs too: the function may leave elements as they are. */
        rg_buf_printf(w->out, "        %sTRY(cudaMemcpy(%sd_%s, %s, ", x, x, q->name, rg__name(w->n, q->name));
        rg__write_bytes(w, i);
        rg_buf_str(w->out, ", cudaMemcpyHostToDevice));\n");
    }
}

static void from_device(struct rg__writer *w, int result)
{
    const char *x = w->n->prefix;
    for (int k = 0; k < w->n_args_device; k++) {
        int i = w->args_device[k];
        const struct rg_param *q = &w->p->params[i];
        if (q->kind != RG_PARAM_ARRAY || q->role == RG_ROLE_IN || kept(w, i)) continue;
        const char *to = i == result ? rg_arena_printf(&w->n->a, "%sresult", x) : rg__name(w->n, q->name);
        rg_buf_printf(w->out, "        %sTRY(cudaMemcpy(%s, %sd_%s, ", x, to, x, q->name);
        rg__write_bytes(w, i);
        rg_buf_str(w->out, ", cudaMemcpyDeviceToHost));\n");
    }
}

void rg__write_run(struct rg__writer *w, const char *name)
{
    const char *x = w->n->prefix;
    int result = rg__result_param(w->p);
    rg_buf_printf(w->out,
                  "// Transfers, kernels, transfers. *%swrote: what it reads and writes has changed, so that nobody "
                  "can begin again.\n"
                  "static cudaError_t %s%s(",
                  x, x, name);
    for (int i = 0; i < w->n_args; i++) {
        rg__write_parameter(w, w->out, w->args[i]);
        rg_buf_str(w->out, ", ");
    }
    if (result >= 0) {
        rg__print_elem(w->out, &w->n->host, w->p->params[result].elem, w->p->params[result].struct_index);
        rg_buf_printf(w->out, " *%sresult, ", x);
    }
    rg_buf_printf(w->out, "bool *%swrote)\n{\n", x);
    rg__write_derived(w, false);
    rg__counts_begin(w);
    rg_buf_printf(w->out, "    cudaError_t %serr = cudaSuccess;\n", x);
    device_pointers(w);
    rg_buf_printf(w->out, "    *%swrote = false;\n    {\n", x);
    to_device(w, result);
    rg_buf_printf(w->out, "        %sTRY(%squeue(", x, x);
    for (int k = 0; k < w->n_args_device; k++) {
        const struct rg_param *q = &w->p->params[w->args_device[k]];
        if (q->kind == RG_PARAM_ARRAY)
            rg_buf_printf(w->out, "%sd_%s, ", x, q->name);
        else
            rg_buf_printf(w->out, "%s, ", rg__name(w->n, q->name));
    }
    rg_buf_printf(w->out, "(cudaStream_t)0));\n        %sTRY(cudaDeviceSynchronize());\n", x);
    if (any_inout(w->p)) rg_buf_printf(w->out, "        *%swrote = true;\n", x);
    from_device(w, result);
    rg_buf_printf(w->out, "    }\n%sdone:\n", x);
    for (int k = w->n_args_device - 1; k >= 0; k--)
        if (w->p->params[w->args_device[k]].kind == RG_PARAM_ARRAY && !kept(w, w->args_device[k]))
            rg_buf_printf(w->out, "    cudaFree(%sd_%s);\n", x, w->p->params[w->args_device[k]].name);
    rg_buf_printf(w->out, "    return %serr;\n}\n\n", x);
    rg__counts_end(w);
}

static void host_function(struct rg__writer *w)
{
    const char *x = w->n->prefix;
    int result = rg__result_param(w->p);
    rg_buf_str(w->out, "extern \"C\" ");
    rg__write_result_type(w);
    rg_buf_printf(w->out, " %s(", w->n->function);
    for (int i = 0; i < w->n_args; i++) {
        if (i) rg_buf_str(w->out, ", ");
        rg__write_parameter(w, w->out, w->args[i]);
    }
    rg_buf_str(w->out, w->n_args ? ")\n{\n" : "void)\n{\n");
    if (result >= 0) {
        rg_buf_str(w->out, "    ");
        rg__print_elem(w->out, &w->n->host, w->p->params[result].elem, w->p->params[result].struct_index);
        rg_buf_printf(w->out, " %sresult;\n    memset((void *)&%sresult, 0, sizeof %sresult);\n", x, x, x);
    }
    const char *back =
        result < 0 ? ""
                   : rg_arena_printf(&w->n->a, " %s%sresult", w->p->params[result].elem == RG_F16 ? "(float)" : "", x);
    rg_buf_printf(w->out, "    if (const char *%swrong = ", x);
    rg__write_refused(w, false);
    rg_buf_printf(w->out, ") {\n        %s_fail(%swrong);\n        return%s;\n    }\n", w->n->function, x, back);
    rg_buf_printf(w->out, "    bool %swrote;\n    const cudaError_t %serr = %srun(", x, x, x);
    rg__write_arguments(w, w->args, w->n_args);
    rg_buf_printf(w->out, "%s%s&%swrote);\n", w->n_args ? ", " : "",
                  result >= 0 ? rg_arena_printf(&w->n->a, "&%sresult, ", x) : "", x);
    rg_buf_printf(w->out, "    if (%serr != cudaSuccess) %s_fail(cudaGetErrorString(%serr));\n", x, w->n->function, x);
    if (*back) rg_buf_printf(w->out, "    return%s;\n", back);
    rg_buf_str(w->out, "}\n");
}

bool rg__same_parameters(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].origin == RG_ORIGIN_GLOBAL || p->params[i].origin == RG_ORIGIN_RETURNED || p->params[i].access)
            return false;
    return !rg__auto_parts(p);
}

static void preamble(struct rg__writer *w, const char *plan_text, const char *title)
{
    rg__comment(w->out, title);
    rg_buf_printf(
        w->out, "//\n// %s() is %s() on the GPU: %s, host pointers. %s() takes device pointers and a stream.\n",
        w->n->function, w->p->function,
        rg__same_parameters(w->p) ? "the same parameters" : "the parameters that best.h lists", w->n->function_device);
    const char *refused = rg__auto_refused(w->p);
    if (refused)
        rg_buf_printf(w->out, "// There is no %s(): %s.\n", w->n->function_auto, refused);
    else
        rg_buf_printf(w->out,
                      "// %s() is %s() with this kernel where it can be used: without a GPU, after a CUDA error, where "
                      "a requirement does not hold\n"
                      "// or arrays overlap it calls the C function, which is linked in as it is. REGRAPH_CHECK=1 in "
                      "the environment runs both,\n"
                      "// compares, and keeps to the C function from the first mismatch on; REGRAPH_OFF=1 keeps to it "
                      "from the start. Build with\n"
                      "// -D%s_no_auto to leave it out.\n",
                      w->n->function_auto, w->p->function, w->p->function);
    if (!refused && w->p->in_file)
        rg_buf_printf(w->out, "// It is in auto.c, which is included at the end of the C file.\n");
    else if (!refused && rg__auto_parts(w->p))
        rg_buf_printf(w->out, "// It is in auto.c, for the C compiler: link both.\n");
    rg_buf_printf(w->out, "// Build: nvcc -O3 -arch=%s -c best.cu\n" RG__MARK_PLAN "\n", w->n->arch);
    rg__comment(w->out, plan_text);
    rg_buf_str(w->out, "#include \"regraph_host.h\"\n");
    bool half = strstr(w->n->cuda, "half") != NULL;
    for (int i = 0; i < w->p->n_params; i++) half |= w->p->params[i].elem == RG_F16;
    if (half) rg_buf_str(w->out, "#include <cuda_fp16.h>\n");
    rg_buf_printf(
        w->out,
        "namespace %s = regraph_host;\n\n// What %s() does when it can't work: define it before this file to do "
        "something else.\n"
        "#ifndef %s_fail\n#define %s_fail(message) (fprintf(stderr, \"%s: %%s\\n\", message), abort())\n#endif\n"
        "#define %sTRY(...) do { cudaError_t %se = (__VA_ARGS__); if (%serr == cudaSuccess) %serr = %se; \\\n"
        "    if (%serr != cudaSuccess) goto %sdone; } while (0)\n\n",
        w->n->space, w->n->function, w->n->function, w->n->function, w->n->function, w->n->prefix, w->n->prefix,
        w->n->prefix, w->n->prefix, w->n->prefix, w->n->prefix, w->n->prefix);
}

/* Between the two marks the text is as it was verified: rg_export_read() takes it from there again. */
static void kernels(struct rg__writer *w)
{
    for (int i = 0; i < RG__N_OURS; i++)
        if (w->n->hidden[i]) rg_buf_printf(w->out, "#define %s %s%s\n", w->n->hidden[i], w->n->prefix, w->n->hidden[i]);
    rg_buf_str(w->out, RG__MARK_KERNELS "\n");
    rg_buf_str(w->out, w->n->named);
    if (!w->n->named[0] || w->n->named[strlen(w->n->named) - 1] != '\n') rg_buf_char(w->out, '\n');
    rg_buf_str(w->out, "\n" RG__MARK_HOST "\n");
    for (int i = 0; i < RG__N_OURS; i++)
        if (w->n->hidden[i]) rg_buf_printf(w->out, "#undef %s\n", w->n->hidden[i]);
}

enum rg_status rg__export_cu(struct rg_buf *out, struct rg__names *n, const char *plan_text, const char *title,
                             struct rg_error *err)
{
    struct rg_buf host = RG_BUF_INIT;
    struct rg__writer w = {.out = out, .n = n, .p = n->problem, .plan = n->plan};
    w.args = rg_xmalloc((size_t)(n->problem->n_params + 1) * sizeof *w.args);
    w.args_device = rg_xmalloc((size_t)(n->problem->n_params + 1) * sizeof *w.args);
    w.n_args = rg__export_order(n->problem, false, w.args);
    w.n_args_device = rg__export_order(n->problem, true, w.args_device);
    w.elements = rg_xmalloc((size_t)(n->problem->n_params + 1) * sizeof *w.elements);
    w.constant = rg_xcalloc((size_t)n->problem->n_params + 1, sizeof *w.constant);
    w.counted = rg_xcalloc((size_t)n->problem->n_params + 1, sizeof *w.counted);
    rg__counts_init(&w);
    preamble(&w, plan_text, title);
    w.out = &host;
    rg__write_check(&w);
    device_function(&w);
    rg__write_run(&w, "run");
    host_function(&w);
    rg__write_auto(&w);
    w.out = out;
    structs(&w);
    rg_buf_char(out, '\n');
    kernels(&w);
    rg_buf_add(out, host.data, host.len);
    rg_buf_release(&host);
    free(w.args);
    free(w.args_device);
    free(w.elements);
    free(w.constant);
    free(w.counted);
    return RG_OK;
}
