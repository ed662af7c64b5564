/* A kernel around its body: constants, declarations, signature; and the whole program's text. */
#include "poly/cuda/kir_cuda.h"
#include "poly/cuda/print.h"
#include "poly/kernel/thread_code.h"
#include <stdlib.h>
#include <string.h>

void rg__poly_print_init(struct poly_print *pr, const struct poly_program *p, int kernel, const struct poly_values *v,
                         struct rg_error *err)
{
    memset(pr, 0, sizeof *pr);
    rg_buf_init(&pr->out);
    pr->indent = 1;
    pr->p = p;
    pr->s = p->scop;
    pr->t = p->scop->tree;
    pr->k = &p->kernels[kernel];
    pr->v = *v;
    pr->err = err;
    size_t nv = (size_t)pr->t->n_vars + 1, na = (size_t)pr->t->n_arrays + 1;
    pr->var_used = rg_xcalloc(nv, 1);
    pr->scalar_mem = rg_xcalloc(nv, 1);
    pr->scalar_mem_written = rg_xcalloc(nv, 1);
    pr->top_decl = rg_xcalloc(nv, 1);
    pr->array_used = rg_xcalloc(na, 1);
    pr->array_written = rg_xcalloc(na, 1);
    pr->declared_array = rg_xcalloc(na, 1);
    pr->same_as = rg_xcalloc(nv, sizeof *pr->same_as);
    rg__poly_find_aliases(pr);
    rg__poly_tiling_init(&pr->tiling, p, kernel, v);
    memcpy(pr->array_written, pr->tiling.written, na);
    pr->phase.tiling = &pr->tiling;
}

void rg__poly_print_release(struct poly_print *pr)
{
    rg_buf_release(&pr->out);
    free(pr->phase.args);
    rg_arena_release(&pr->arena);
    free(pr->var_used);
    free(pr->same_as);
    free(pr->scalar_mem);
    free(pr->scalar_mem_written);
    free(pr->top_decl);
    rg__poly_tiling_release(&pr->tiling);
    free(pr->array_used);
    free(pr->array_written);
    free(pr->declared_array);
}

struct decls {
    bool *var, *array;
};

static bool find_decl(void *arg, const struct poly_knode *k)
{
    struct decls *d = arg;
    if (k->kind == KN_LEAF && k->node->kind == RG_C_DECL) {
        if (k->node->array >= 0)
            d->array[k->node->array] = true;
        else
            d->var[k->node->var] = true;
    }
    return true;
}

/* Scalars and local arrays that must be declared before the body; values that come from buffers. */
static void declare(struct poly_print *pr, struct rg_buf *top, struct rg_buf *bottom)
{
    struct poly_effect e = rg__poly_effect_new(pr->s);
    struct decls d = {rg_xcalloc((size_t)pr->t->n_vars + 1, 1), rg_xcalloc((size_t)pr->t->n_arrays + 1, 1)};
    bool waits = false;
    rg__poly_kernel_effect(pr->p, pr->k, &e);
    rg__poly_knode_walk(pr->k->body, find_decl, &d);
    for (int v = 0; v < pr->t->n_vars; v++) {
        const struct rg_cvar *c = &pr->t->vars[v];
        bool plain = c->kind == RG_CVAR_ITER || (c->kind == RG_CVAR_PARAM && !c->assigned) || pr->s->var_hidden[v];
        if (plain || !(e.read[v] || e.written[v])) continue;
        bool scratch = pr->p->scalar_scratch[v];
        if (!scratch && d.var[v]) continue;
        pr->top_decl[v] = true;
        const char *type = rg__poly_var_type(pr, v);
        if (c->kind == RG_CVAR_PARAM && !scratch) {
            /* the kernel writes it before it reads it: a plain local of that name */
        }
        bool store = scratch && e.written[v] && rg__poly_runs_once(pr->k);
        bool load =
            scratch && (e.exposed[v] || (store && !e.defined[v])); /* what is perhaps not written is stored as it was */
        pr->scalar_mem[v] = load || store;
        pr->scalar_mem_written[v] = store;
        rg_buf_indent(top, 1);
        if (load) {
            rg_buf_printf(top, "%s%s %s = %s_mem[0];\n", e.written[v] ? "" : "const ", type, c->name, c->name);
        } else {
            rg_buf_printf(top, "%s %s;\n", type, c->name);
        }
        if (store && load && pr->tiling.threads[0] > 1 &&
            !waits) { /* all have read it: a loop that does not run has no barrier */
            waits = true;
            rg_buf_indent(bottom, 1);
            rg_buf_str(bottom, "__syncthreads();\n");
        }
        if (store) {
            rg_buf_indent(bottom, 1);
            rg_buf_printf(bottom, "%s%s_mem[0] = %s;\n", pr->tiling.threads[0] > 1 ? "if (threadIdx.x == 0) " : "",
                          c->name, c->name);
        }
    }
    for (int a = 0; a < pr->t->n_arrays; a++) {
        const struct rg_carray *c = &pr->t->arrays[a];
        if (pr->p->array_parts[a] && !d.array[a] && rg__poly_knode_uses_array(pr->s, pr->k->body, a, NULL))
            rg__poly_part_lines(pr, a); /* its declaration stayed with another kernel */
        if (c->param >= 0 || c->constant_table || pr->s->array_hidden[a] || pr->p->array_scratch[a] || d.array[a] ||
            !rg__poly_knode_uses_array(pr->s, pr->k->body, a, NULL))
            continue;
        rg_buf_indent(top, 1);
        rg_buf_printf(top, "%s %s", rg__poly_elem_type(pr, a), c->name);
        for (int x = 0; x < c->n_dims; x++) rg_buf_printf(top, "[%s]", rg__poly_extent(pr, a, x));
        rg_buf_str(top, ";\n");
    }
    rg__poly_effect_free(&e);
    free(d.var);
    free(d.array);
}

/* constexpr int BX = 32, ...: the tunables, by name. */
static void constants(struct poly_print *pr, struct rg_buf *out)
{
    static const char *const b[3] = {"BX", "BY", "BZ"}, *const r[3] = {"RX", "RY", "RZ"};
    bool any = false;
    for (int a = 0; a < 3; a++) {
        if (pr->tiling.dim_of_axis[a] < 0 || pr->k->form != POLY_THREADS) continue;
        rg_buf_printf(out, "%s\1%s = %lld", any ? ", " : "    constexpr int ", b[a], (long long)pr->tiling.threads[a]);
        any = true;
        if (pr->tiling.coarse[a] > 1) rg_buf_printf(out, ", \1%s = %lld", r[a], (long long)pr->tiling.coarse[a]);
    }
    if (pr->k->form == POLY_BLOCK || pr->k->form >= POLY_SCAN_TOTALS) {
        rg_buf_printf(out, "%s\1BLOCK = %lld", any ? ", " : "    constexpr int ", (long long)pr->v.block);
        any = true;
        if (pr->k->team == POLY_TEAM_WARP) rg_buf_printf(out, ", \1LANES = %lld", (long long)pr->v.lanes);
    }
    if (pr->k->n_scans && pr->k->form != POLY_SCAN_OFFSETS && pr->v.items > 1) {
        rg_buf_printf(out, "%s\1ITEMS = %lld", any ? ", " : "    constexpr int ", (long long)pr->v.items);
        any = true;
    }
    if (any) rg_buf_str(out, ";\n");
}

static int var_of_param(const struct poly_print *pr, int param)
{
    for (int v = 0; v < pr->t->n_vars; v++)
        if (pr->t->vars[v].kind == RG_CVAR_PARAM && pr->t->vars[v].param == param) return v;
    return -1;
}

/* Parameters that `require` gives a value. */
void rg__poly_fixed_parameters(struct poly_print *pr, struct rg_buf *out)
{
    const struct rg_problem *p = pr->s->problem;
    for (int i = 0; i < p->n_params; i++) {
        int v = p->params[i].kind == RG_PARAM_SCALAR ? var_of_param(pr, i) : -1;
        int64_t fixed;
        if (v >= 0 && pr->var_used[v] && rg_problem_fixed(p, i, &fixed))
            rg_buf_printf(out, "    constexpr %s %s = %lld; // as required\n", rg__poly_var_type(pr, v),
                          pr->t->vars[v].name, (long long)fixed);
    }
}

/* \1 marks the names of constants: they give way when the function has such a name itself. */
static void settle_names(struct poly_print *pr, struct rg_buf *out, const char *text)
{
    static const char *const mine[] = {"BX", "BY", "BZ", "RX", "RY", "BLOCK", "LANES", "ITEMS"};
    bool clash = false;
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        clash = clash || strcmp(rg__poly_fresh(pr, "%s", mine[i]), mine[i]) != 0;
    for (; *text; text++)
        if (*text != 1)
            rg_buf_char(out, *text);
        else if (clash)
            rg_buf_str(out, "k");
}

struct arglist {
    struct rg_buf *decl, *pass;
    int n;
};

static void argument(struct arglist *a, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void argument(struct arglist *a, const char *name, const char *fmt, ...)
{
    va_list ap;
    if (a->n++) {
        rg_buf_str(a->decl, ", ");
        rg_buf_str(a->pass, ", ");
    }
    va_start(ap, fmt);
    rg_buf_vprintf(a->decl, fmt, ap);
    va_end(ap);
    rg_buf_str(a->pass, name);
}

static int array_of_param(const struct poly_print *pr, int param)
{
    for (int a = 0; a < pr->t->n_arrays; a++)
        if (pr->t->arrays[a].param == param) return a;
    return -1;
}

void rg__poly_arguments(struct poly_print *pr, struct rg_buf *decl, struct rg_buf *pass)
{
    struct arglist l = {decl, pass, 0};
    const struct rg_problem *p = pr->s->problem;
    const char *restricted = p->may_alias ? "" : "__restrict__ ";
    /* threads of a block that work together see each other's stores: to the compiler, restrict says that nobody else's
     * pointer writes there, and it would keep values over barriers */
    bool together = (pr->k->form != POLY_THREADS && pr->k->form != POLY_SINGLE) || pr->k->region;
    const char *written = together ? "" : restricted, *scalars = pr->k->region ? "" : restricted;
    for (int i = 0; i < p->n_params; i++) {
        int v = var_of_param(pr, i), a = array_of_param(pr, i);
        int64_t fixed;
        if (p->params[i].kind == RG_PARAM_SCALAR) {
            if (v >= 0 && pr->var_used[v] && !rg_problem_fixed(p, i, &fixed)) {
                argument(&l, p->params[i].name, "%s %s", rg__poly_var_type(pr, v), pr->t->vars[v].name);
                rg__poly_given(pr, POLY_GIVEN_VALUE, v, NULL, pr->t->vars[v].type, false);
            }
        } else if (a >= 0 && pr->array_used[a]) {
            bool ro = !pr->array_written[a] || p->params[i].role == RG_ROLE_IN;
            argument(&l, p->params[i].name, "%s%s *%s%s", ro ? "const " : "", rg__poly_elem_type(pr, a),
                     ro && !rg__poly_written_beside(pr->p, pr->k, a) ? restricted : written,
                     rg__poly_array_name(pr, a));
            rg__poly_given(pr, POLY_GIVEN_ARRAY, a, rg__poly_array_name(pr, a), pr->t->arrays[a].elem, !ro);
        }
    }
    for (int h = 0; h < pr->k->n_host; h++) {
        int v = pr->s->loops[pr->k->host[h]].var;
        bool again = false;
        for (int g = 0; g < h; g++) again = again || pr->s->loops[pr->k->host[g]].var == v;
        if (pr->var_used[v] && !again) {
            argument(&l, pr->t->vars[v].name, "%s %s", rg__poly_index_type(pr, v), pr->t->vars[v].name);
            rg__poly_given(pr, POLY_GIVEN_VALUE, v, NULL, pr->t->vars[v].type, false);
        }
    }
    for (int v = 0; v < pr->t->n_vars; v++)
        if (pr->scalar_mem[v]) {
            argument(&l, rg__poly_printf(pr, "%s_mem", pr->t->vars[v].name), "%s%s *%s%s_mem",
                     pr->scalar_mem_written[v] ? "" : "const ", rg__poly_var_type(pr, v),
                     pr->scalar_mem_written[v] ? written : scalars, pr->t->vars[v].name);
            rg__poly_given(pr, POLY_GIVEN_SCALAR, v, NULL, pr->t->vars[v].type, pr->scalar_mem_written[v]);
        }
    for (int a = 0; a < pr->t->n_arrays; a++)
        if (pr->t->arrays[a].param < 0 && pr->array_used[a] && pr->p->array_scratch[a]) {
            argument(&l, rg__poly_buffer_name(pr, a), "%s%s *%s%s", pr->array_written[a] ? "" : "const ",
                     rg__poly_elem_type(pr, a),
                     pr->array_written[a] || rg__poly_written_beside(pr->p, pr->k, a) ? written : restricted,
                     rg__poly_buffer_name(pr, a));
            rg__poly_given(pr, POLY_GIVEN_ARRAY, a, rg__poly_buffer_name(pr, a), pr->t->arrays[a].elem,
                           pr->array_written[a]);
        }
    rg__poly_scan_arguments(pr, decl, pass, &l.n);
}

static void phase_signature(struct poly_print *pr, struct rg_buf *cuda, const char *decl)
{
    struct rg_buf own = RG_BUF_INIT;
    pr->phase.block = strstr(pr->out.data, "blockIdx") != NULL;
    pr->phase.grid = strstr(pr->out.data, "gridDim") != NULL;
    pr->phase.thread = pr->k->form == POLY_THREADS && pr->k->n_dims > 1;
    if (pr->phase.block) rg_buf_str(&own, ", const uint3 blockIdx");
    if (pr->phase.grid) rg_buf_str(&own, ", const uint3 gridDim");
    if (pr->phase.thread) rg_buf_str(&own, ", const uint3 threadIdx");
    if (*decl) rg_buf_printf(&own, ", %s", decl);
    rg_buf_printf(cuda, "__device__ __forceinline__ void %s(%s)\n{\n", pr->k->name, own.len ? own.data + 2 : "");
    rg_buf_release(&own);
}

enum { ALWAYS_FIT = 256 }; /* threads of a block, whatever registers they take: 255 at most of 65536 */

static void signature(struct poly_print *pr, struct rg_buf *cuda, const char *decl)
{
    const struct poly_kernel *k = pr->k;
    int64_t threads = pr->tiling.threads[0] * pr->tiling.threads[1] * pr->tiling.threads[2];
    rg_buf_str(cuda, "__global__ void ");
    if (k->launch_bounds && pr->v.min_blocks > 1)
        rg_buf_printf(cuda, "__launch_bounds__(%lld, %lld) ", (long long)threads, (long long)pr->v.min_blocks);
    else if (k->coarsened || k->launch_bounds || threads > ALWAYS_FIT)
        rg_buf_printf(cuda, "__launch_bounds__(%lld) ", (long long)threads);
    rg_buf_printf(cuda, "%s(%s)\n{\n", k->name, decl);
}

/* Of the buffers of blocks' results: which accumulator's. */
static void given_part(struct poly_print *pr, const struct kir_symbol *s)
{
    struct poly_acc acc[POLY_ACCS];
    int n = pr->k->partner < 0 ? 0 : rg__poly_accumulators(pr->p->scop, pr->k, pr->k->reduce_loop, acc, POLY_ACCS);
    for (int i = 0; i < n && s->kind == KIR_BUFFER; i++)
        if (!strcmp(s->name, rg__poly_acc_buffer(pr->p, pr->k, &acc[i], &pr->arena)))
            rg__poly_given(pr, POLY_GIVEN_PART, i, s->name, s->type, s->written);
}

/* A phase in kernel IR: what the kernel that it is a part of has to give it. */
static void kir_phase(struct poly_print *pr, struct rg_buf *cuda)
{
    struct kir_places needs = rg__kir_cuda_phase(pr->kir, cuda);
    int *arguments, n = rg__kir_arguments(pr->kir, &arguments);
    pr->phase.block = needs.block;
    pr->phase.grid = needs.grid;
    pr->phase.thread = needs.thread;
    for (int i = 0; i < n; i++) {
        const struct kir_symbol *s = &pr->kir->symbols[arguments[i]];
        bool memory = s->kind == KIR_BUFFER;
        if (s->from) rg__poly_given(pr, POLY_GIVEN_PARTS, 0, NULL, s->type, false);
        given_part(pr, s);
        for (int v = 0; v < pr->t->n_vars; v++) {
            const char *name = pr->t->vars[v].name;
            if (!strcmp(s->name, memory ? rg__poly_printf(pr, "%s_mem", name) : name)) {
                rg__poly_given(pr, memory ? POLY_GIVEN_SCALAR : POLY_GIVEN_VALUE, v, NULL, s->type, s->written);
                break;
            }
        }
        for (int a = 0; a < pr->t->n_arrays && memory; a++) {
            if (strcmp(s->name, rg__poly_buffer_name(pr, a))) continue;
            rg__poly_given(pr, POLY_GIVEN_ARRAY, a, s->name, s->type, s->written);
            pr->array_used[a] = true;
        }
    }
    free(arguments);
}

/* A kernel in kernel IR, and the buffers that its launch asks of the plan. */
static void kir_text(struct poly_print *pr, struct rg_buf *cuda)
{
    struct rg_reason why = {0};
    bool sorts = pr->k->form == POLY_SORT;
    if (!sorts)
        pr->kir = rg__poly_kir_build(pr->p, pr->k, &pr->v, &pr->arena, &why);
    else if (rg__poly_sort_kernels(pr->p, pr->k, &pr->v, &pr->arena, &pr->sort, &why))
        pr->kir = pr->sort.tiles;
    if (!pr->kir) {
        rg__poly_print_refused(pr, &why);
        return;
    }
    if (pr->k->region)
        kir_phase(pr, cuda);
    else
        rg__kir_cuda(pr->kir, cuda);
    if (!sorts) return;
    rg_buf_char(cuda, '\n');
    rg__kir_cuda(pr->sort.merges, cuda);
}

static void whole_body(struct poly_print *pr, struct rg_buf *cuda, const char *top, const char *bottom)
{
    struct rg_buf text = RG_BUF_INIT;
    rg__poly_fixed_parameters(pr, &text);
    constants(pr, &text);
    rg_buf_str(&text, top);
    rg_buf_str(&text, pr->out.data);
    settle_names(pr, cuda, text.data);
    rg_buf_release(&text);
    rg_buf_str(cuda, bottom);
    rg_buf_str(cuda, "}\n");
}

static void kernel_text(struct poly_print *pr, struct rg_buf *cuda, struct rg_buf *helpers, struct rg_buf *pass)
{
    struct rg_buf top = RG_BUF_INIT, bottom = RG_BUF_INIT, decl = RG_BUF_INIT;
    const struct poly_kernel *k = pr->k;
    rg__poly_choose_grid(pr);
    declare(pr, &top, &bottom);
    switch (k->form) {
    case POLY_THREADS:
    case POLY_SINGLE:
        rg__poly_simple_body(pr);
        break;
    case POLY_BLOCK:
        rg__poly_block_body(pr);
        break;
    case POLY_SCAN_TOTALS:
    case POLY_SCAN_OFFSETS:
    case POLY_SCAN_APPLY:
        rg__poly_scan_body(pr);
        break;
    case POLY_KIR: /* kir_text() */
    case POLY_PARTIAL:
    case POLY_FINAL:
    case POLY_SORT:
        break;
    }
    rg__poly_arguments(pr, &decl, pass);
    rg__poly_reduce_helpers(pr, helpers);
    rg__poly_run_helpers(pr, helpers);
    size_t start = cuda->len;
    rg_buf_printf(cuda, "// %s\n", rg__poly_heading(pr->p, k, &pr->v, &pr->arena));
    if (k->region)
        phase_signature(pr, cuda, decl.data);
    else
        signature(pr, cuda, decl.data);
    whole_body(pr, cuda, top.data, bottom.data);
    rg__poly_plain_names(pr, cuda, start);
    rg_buf_release(&top);
    rg_buf_release(&bottom);
    rg_buf_release(&decl);
}

/* Headers of the kernels in kernel IR; resident ones have theirs below. Functions for updates by exchange, of all. */
static void kir_headers(const struct poly_print *prints, const struct poly_program *p, struct rg_buf *cuda,
                        struct rg_buf *helpers)
{
    struct kir_headers h = {.groups = false};
    bool resident = false;
    for (int k = 0; k < p->n_kernels; k++) {
        resident = resident || p->kernels[k].region;
        if (prints[k].kir) rg__kir_cuda_headers(prints[k].kir, &h);
        for (int wide = 0; wide < 2; wide++) h.exchange[wide] = h.exchange[wide] || prints[k].uses_exchange[wide];
    }
    for (int wide = 0; wide < 2; wide++)
        if (h.exchange[wide]) rg__cuda_exchange(p->scop->tree, wide ? 64 : 32, helpers);
    if (h.groups && !resident) rg_buf_str(cuda, "#include <cooperative_groups.h>\n\n");
    if (h.matrices) rg_buf_str(cuda, "#include <mma.h>\n\n");
}

static bool half_anywhere(const struct rg_ctree *t)
{
    bool any = false;
    for (int a = 0; a < t->n_arrays; a++) any = any || t->arrays[a].elem == RG_F16;
    for (int v = 0; v < t->n_vars; v++) any = any || t->vars[v].type == RG_F16;
    return any;
}

enum rg_status rg__poly_print_program(const struct poly_program *p, const struct poly_values *v, struct rg_buf *cuda,
                                      struct rg_buf *plan, struct rg_error *err)
{
    const struct rg_problem *prob = p->scop->problem;
    struct rg_error local = RG_ERROR_INIT;
    struct poly_print *prints = rg_xcalloc((size_t)p->n_kernels + 1, sizeof *prints);
    struct rg_buf *pass = rg_xcalloc((size_t)p->n_kernels + 1, sizeof *pass);
    struct rg_buf kernels = RG_BUF_INIT, helpers = RG_BUF_INIT;
    enum rg_status st = RG_OK;
    if (!err) err = &local;
    for (int k = 0; k < p->n_kernels; k++) {
        struct poly_kernel *kn = (struct poly_kernel *)&p->kernels[k];
        rg_buf_init(&pass[k]);
        rg__poly_print_init(&prints[k], p, k, v, err);
        snprintf(kn->name, sizeof kn->name, "%s",
                 p->n_kernels > 1 ? rg__poly_fresh(&prints[k], "%.60s_kernel%d", prob->function, k)
                                  : rg__poly_fresh(&prints[k], "%.60s_kernel", prob->function));
    }
    for (int k = 0; k < p->n_kernels && st == RG_OK; k++) {
        if (k) rg_buf_char(&kernels, '\n');
        if (rg__poly_in_kir(&p->kernels[k]))
            kir_text(&prints[k], &kernels);
        else
            kernel_text(&prints[k], &kernels, &helpers, &pass[k]);
        if (prints[k].failed)
            st = err->status ? err->status : rg_error_set(err, RG_INPUT, "this vector does not fit the kernel");
    }
    struct poly_planning pl = {p, prints, pass, plan, &kernels};
    if (st == RG_OK) {
        if (half_anywhere(p->scop->tree)) rg_buf_str(cuda, "#include <cuda_fp16.h>\n");
        if (prob->device_decls && *prob->device_decls) rg_buf_printf(cuda, "%s\n", prob->device_decls);
        for (int k = 0; k < p->n_kernels; k++)
            if (p->kernels[k].region) {
                rg_buf_str(cuda, "#include <cooperative_groups.h>\n\n");
                break;
            }
        kir_headers(prints, p, cuda, &helpers);
        rg_buf_str(cuda, helpers.data);
        st = p->n_kernels ? rg__poly_plan_require(p, v, &prints[0].arena, plan, err) : RG_OK;
        if (st == RG_OK && p->n_kernels) st = rg__poly_plan_scratch(&pl, cuda, err);
        for (int x = 0; x < p->scop->tree->n_vars; x++)
            if (p->scalar_scratch[x] && p->scop->tree->vars[x].kind == RG_CVAR_PARAM)
                rg_buf_printf(plan, "init_%s<<<1, 1>>>(%s_mem, %s);\n", p->scop->tree->vars[x].name,
                              p->scop->tree->vars[x].name, prob->params[p->scop->tree->vars[x].param].name);
        if (p->n_kernels) rg__poly_plan_node(&pl, p->root, 0);
        for (int k = 0; k < p->n_kernels; k++)
            if (prints[k].failed) st = RG_INPUT; /* a cooperative kernel of them */
        rg_buf_str(cuda, kernels.data);
    }
    for (int k = 0; k < p->n_kernels; k++) {
        rg__poly_print_release(&prints[k]);
        rg_buf_release(&pass[k]);
    }
    rg_buf_release(&kernels);
    rg_buf_release(&helpers);
    free(prints);
    free(pass);
    return st;
}
