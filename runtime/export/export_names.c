/* Names for exported code, and whether a launch's arguments need no conversion. */
#include "runtime/export/export_internal.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

static bool has_word(const char *text, const char *word)
{
    /* Preprocessor lines count: a macro's name is a name. rg__scan_next passes them over, so search the bytes. */
    size_t n = strlen(word);
    for (const char *p = text; p && (p = strstr(p, word)); p += n) {
        bool before = p > text && (p[-1] == '_' || (p[-1] >= '0' && p[-1] <= '9') || (p[-1] >= 'A' && p[-1] <= 'Z') ||
                                   (p[-1] >= 'a' && p[-1] <= 'z'));
        char c = p[n];
        bool after = c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!before && !after) return true;
    }
    return false;
}

/* "#define NAME" stands in the code. */
static bool is_macro(const char *cuda, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = cuda; (p = strstr(p, "define")); p += 6) {
        const char *hash = p;
        while (hash > cuda && (hash[-1] == ' ' || hash[-1] == '\t')) hash--;
        if (hash == cuda || hash[-1] != '#') continue;
        const char *w = p + 6 + strspn(p + 6, " \t");
        char c = strncmp(w, name, n) ? 'x' : w[n];
        bool more = c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!more) return true;
    }
    return false;
}

/* Words that C allows as a parameter's name and CUDA C++ or its headers do not. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = {"alignas",      "alignof",       "and",         "and_eq",
                                        "asm",          "bitand",        "bitor",       "bool",
                                        "catch",        "char16_t",      "char32_t",    "char8_t",
                                        "class",        "compl",         "concept",     "const_cast",
                                        "consteval",    "constexpr",     "constinit",   "co_await",
                                        "co_return",    "co_yield",      "decltype",    "delete",
                                        "dynamic_cast", "explicit",      "export",      "false",
                                        "final",        "friend",        "mutable",     "namespace",
                                        "new",          "noexcept",      "not",         "not_eq",
                                        "nullptr",      "operator",      "or",          "or_eq",
                                        "private",      "protected",     "public",      "reinterpret_cast",
                                        "requires",     "static_assert", "static_cast", "template",
                                        "this",         "thread_local",  "throw",       "true",
                                        "try",          "typeid",        "typename",    "using",
                                        "virtual",      "wchar_t",       "xor",         "xor_eq",
                                        "linux",        "unix",          "threadIdx",   "blockIdx",
                                        "blockDim",     "gridDim",       "warpSize",    "dim3",
                                        "uint3",        "int64_t",       "size_t",      "cudaError_t",
                                        "cudaStream_t", "NULL",          "errno",       "stderr",
                                        "stdout",       "stdin",         "assert",      "sizeof",
                                        "main",         "restrict",      "inline",      "abort",
                                        "fprintf",      "NAN",           "INFINITY"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name)) return true;
    return false;
}

/* The first word of a kernel's name: "mm" of "mm<16>", "ns" of "ns::k". */
static bool is_kernel(const struct rg_plan *plan, const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < plan->n_kernels; i++)
        if (!strncmp(plan->kernels[i], name, n) && (!plan->kernels[i][n] || strchr("<:", plan->kernels[i][n])))
            return true;
    return false;
}

const char *rg__name(struct rg__names *n, const char *name)
{
    if (!is_reserved(name) && !is_kernel(n->plan, name) && !is_macro(n->cuda, name)) return name;
    return rg_arena_printf(&n->a, "%sv_%s", n->prefix, name);
}

static const char *local(void *arg, const char *name)
{
    return rg__name(arg, name);
}

/* Kernels named like the exported functions were renamed by a macro. */
static const char *kernel(void *arg, const char *name)
{
    struct rg__names *n = arg;
    for (int i = 0; i < RG__N_OURS; i++) {
        size_t len = n->hidden[i] ? strlen(n->hidden[i]) : 0;
        if (len && !strncmp(name, n->hidden[i], len) && (!name[len] || strchr("<:", name[len])))
            return rg_arena_printf(&n->a, "%s%s", n->prefix, name);
    }
    return name;
}

/* --- do a launch's arguments fit as they are? --- */

struct param { /* of a kernel as its source has it */
    bool pointer, known;
    enum rg_scalar type;
};

static bool is_word(const char *w)
{
    return *w == '_' || (*w >= 'a' && *w <= 'z') || (*w >= 'A' && *w <= 'Z');
}

/* One parameter up to its ',' or ')'; false where it is more than qualifiers, a plain type, at most one '*' and a name.
 */
static bool scan_param(struct rg__scan *s, struct param *out, bool *last)
{
    static const char *const drop[] = {"const",      "__restrict__", "restrict",
                                       "__restrict", "volatile",     "__grid_constant__"};
    char words[8][128];
    int n = 0, stars = 0;
    bool plain = true;
    while (rg__scan_next(s)) {
        if (!strcmp(s->word, ",") || !strcmp(s->word, ")")) break;
        bool dropped = false;
        for (size_t i = 0; i < sizeof drop / sizeof *drop; i++) dropped |= !strcmp(s->word, drop[i]);
        if (dropped) continue;
        if (!strcmp(s->word, "*"))
            stars++;
        else if (is_word(s->word) && n < 8)
            strcpy(words[n++], s->word);
        else
            plain = false;
        if (!plain) return false;
    }
    *last = *s->word != ',';
    if (!*s->word || stars > 1 || n < 2) return false; /* unnamed parameters are rare enough */
    struct rg_buf type = RG_BUF_INIT;
    for (int i = 0; i < n - 1; i++) rg_buf_printf(&type, "%s ", words[i]);
    out->pointer = stars;
    out->known = rg_scalar_parse(type.data, &out->type);
    rg_buf_release(&type);
    return out->known;
}

/* The parameters of the only kernel of that name; false when it can't be told. */
static bool scan_kernel(const char *cuda, const char *name, struct param *out, int max, int *n)
{
    struct rg__scan s = {cuda, ""};
    bool found = false, global = false;
    while (rg__scan_next(&s)) {
        if (!strcmp(s.word, "__global__")) global = true;
        if (!strcmp(s.word, "{") || !strcmp(s.word, ";")) global = false;
        if (!global || strcmp(s.word, name)) continue;
        struct rg__scan ahead = s;
        if (!rg__scan_next(&ahead) || strcmp(ahead.word, "(")) continue;
        if (found) return false; /* declared and defined, or overloaded */
        found = true;
        s = ahead;
        *n = 0;
        struct rg__scan empty = s;
        if (rg__scan_next(&empty) && !strcmp(empty.word, ")")) continue;
        for (bool last = false; !last;) {
            if (*n == max || !scan_param(&s, &out[*n], &last)) return false;
            ++*n;
        }
        global = false;
    }
    return found;
}

static bool plain(void *arg, const struct rg_plan_stmt *s)
{
    struct rg__names *names = arg;
    struct param params[RG__PLAN_MAX_ARGS];
    char base[128];
    size_t len = strcspn(s->kernel, "<:");
    int n = 0;
    if (s->kernel[len] == ':' || len >= sizeof base) return false;
    memcpy(base, s->kernel, len);
    base[len] = 0;
    if (!scan_kernel(names->cuda, base, params, RG__PLAN_MAX_ARGS, &n) || n != s->n_args) return false;
    for (int i = 0; i < n; i++) {
        bool buffer = s->args[i].kind == RG_ARG_BUFFER;
        if (buffer != params[i].pointer) return false;
        if (!buffer) {
            if (params[i].type == RG_F16) return false;
            if (s->args[i].kind == RG_ARG_SCALAR) {
                int k = rg_problem_param(names->problem, s->args[i].name);
                if (k < 0 || names->problem->params[k].elem == RG_STRUCT || names->problem->params[k].elem == RG_F16)
                    return false;
            }
            continue;
        }
        enum rg_scalar elem = RG_STRUCT;
        int k = rg_problem_param(names->problem, s->args[i].name);
        if (k >= 0) elem = names->problem->params[k].elem;
        for (int j = 0; k < 0 && j < names->plan->n; j++) {
            const struct rg_plan_stmt *t = names->plan->stmts[j];
            if (t->kind == RG_PLAN_SCRATCH && !strcmp(t->a, s->args[i].name)) elem = t->elem;
        }
        if (elem == RG_STRUCT || elem != params[i].type) return false;
    }
    return true;
}

/* "n_x" for the elements of x, unless any text has a word like it. */
static void name_counts(struct rg__names *n, const char *all)
{
    const struct rg_problem *p = n->problem;
    n->counts = rg_arena_alloc(&n->a, (size_t)(p->n_params + 1) * sizeof *n->counts);
    for (int i = 0; i < p->n_params; i++) {
        const char *name = rg_arena_printf(&n->a, "n_%s", p->params[i].name);
        n->counts[i] =
            has_word(all, name) || is_reserved(name) ? rg_arena_printf(&n->a, "%s%s", n->prefix, name) : name;
    }
}

/* Macros of the C that can be macros here: no word of the code, nor one that this file's host code might use. */
static void keep_constants(struct rg__names *n, struct rg_buf *all)
{
    const struct rg_problem *p = n->problem;
    n->keeps = rg_arena_alloc(&n->a, (size_t)(p->n_constants + 1) * sizeof *n->keeps);
    for (int i = 0; i < p->n_constants; i++) {
        const char *name = p->constants[i].name;
        bool capitals = true;
        for (const char *c = name; *c; c++) capitals = capitals && !(*c >= 'a' && *c <= 'z');
        n->keeps[i] = capitals && !has_word(all->data, name) && !is_reserved(name) && p->constants[i].value >= 0 &&
                      p->constants[i].value <= INT32_MAX;
    }
    for (int i = 0; i < p->n_constants; i++) rg_buf_printf(all, "%s\n", p->constants[i].name);
}

void rg__names_init(struct rg__names *n, const struct rg_problem *p, const struct rg_plan *plan, const char *cuda,
                    const char *plan_text)
{
    memset(n, 0, sizeof *n);
    n->problem = p;
    n->plan = plan;
    n->cuda = cuda;
    struct rg_buf all = RG_BUF_INIT; /* every text a name could come from */
    rg_buf_printf(&all, "%s\n%s\n%s\n%s\n%s\n", cuda, plan_text, p->function, p->host_decls ? p->host_decls : "",
                  p->device_decls ? p->device_decls : "");
    for (int i = 0; i < p->n_params; i++) rg_buf_printf(&all, "%s\n", p->params[i].name);
    for (int i = 0; i < p->n_args; i++) rg_buf_printf(&all, "%s\n", p->args[i].c_decl);
    if (p->auto_decls) rg_buf_str(&all, p->auto_decls);
    for (int i = 0; i < p->n_structs; i++) rg_buf_printf(&all, "%s\n", p->structs[i].c_name);
    keep_constants(n, &all);
    n->prefix = "rg_";
    n->space = "rg";
    for (int i = 1; strstr(all.data, n->prefix) || has_word(all.data, n->space); i++) {
        n->prefix = rg_arena_printf(&n->a, "rg%d_", i);
        n->space = rg_arena_printf(&n->a, "rg%d", i);
    }
    name_counts(n, all.data);
    rg_buf_release(&all);
    n->function = rg_arena_printf(&n->a, "%s_cuda", p->function);
    n->function_device = rg_arena_printf(&n->a, "%s_cuda_device", p->function);
    n->function_auto = rg_arena_printf(&n->a, "%s_auto", p->function);
    n->function_used = rg_arena_printf(&n->a, "%s_auto_used", p->function);
    const char *const ours[RG__N_OURS] = {n->function, n->function_device, n->function_auto, n->function_used};
    for (int i = 0; i < RG__N_OURS; i++) n->hidden[i] = has_word(cuda, ours[i]) ? ours[i] : NULL;
    rg__constants_init(n);
    n->host = (struct rg__host){n->prefix, rg_arena_printf(&n->a, "%s::", n->space), n, local, kernel, plain};
}

void rg__names_release(struct rg__names *n)
{
    free(n->terms);
    rg_arena_release(&n->a);
}

int rg__result_param(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].origin == RG_ORIGIN_RESULT) return i;
    return -1;
}

int rg__export_order(const struct rg_problem *p, bool with_result, int *order)
{
    static const enum rg_origin origins[] = {RG_ORIGIN_ARG, RG_ORIGIN_RETURNED, RG_ORIGIN_RESULT, RG_ORIGIN_GLOBAL};
    int n = 0;
    for (int k = 0; k < 4; k++) {
        if (origins[k] == RG_ORIGIN_RESULT && !with_result) continue;
        for (int i = 0; i < p->n_params; i++)
            if (p->params[i].origin == origins[k]) order[n++] = i;
    }
    return n;
}

bool rg__struct_is_regular(const struct rg_struct *s)
{
    int64_t end = 0, most = 1;
    for (int i = 0; i < s->n_fields; i++) {
        int64_t size = (int64_t)rg_scalar_bytes(s->fields[i].type);
        if (!size || s->fields[i].count < 1 || s->fields[i].count > s->bytes || s->fields[i].type == RG_F16)
            return false;
        if (size > most) most = size;
        if (s->fields[i].offset != (end + size - 1) / size * size) return false;
        end = s->fields[i].offset + size * s->fields[i].count;
    }
    return s->n_fields > 0 && s->bytes == (end + most - 1) / most * most;
}

void rg__comment(struct rg_buf *out, const char *text)
{
    for (const char *p = text ? text : ""; *p;) {
        size_t n = strcspn(p, "\r\n"), keep = n;
        while (keep && (p[keep - 1] == '\\' || p[keep - 1] == ' '))
            keep--; /* a backslash would take the next line along */
        rg_buf_str(out, "// ");
        for (size_t i = 0; i < keep; i++) rg_buf_char(out, p[i] == '?' && p[i + 1] == '?' ? '.' : p[i]);
        rg_buf_char(out, '\n');
        p += n;
        if (*p == '\r') p++;
        if (*p == '\n') p++;
    }
}
