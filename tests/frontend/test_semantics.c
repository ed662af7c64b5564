/* The tree means what the C means: it is printed as CUDA C++, compiled for the host, run beside the reference shim on
 * the same inputs at the verify sizes, and every byte of every array is compared. No rounding may differ: the tree
 * reorders nothing. Cases: tests/frontend/cases and examples. test-deadline: 900 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/data/half.h"
#include <dirent.h>
#include <dlfcn.h>
#include <rg/frontend.h>
#include <rg/rng.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What runs here allocates like the user's code and the tree's locals, which are never freed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static char dir[] = "/tmp/rg-frontend-XXXXXX";
static int serial;

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The one that preprocessed the text: what its headers became need not suit another. */
static const char *c_compiler(void)
{
    const char *cc = getenv("CC");
    return cc && *cc ? cc : "cc";
}

static void *compile(const char *compiler, const char *suffix, const char *text, const char *name)
{
    char source[128], library[128], line[512];
    snprintf(source, sizeof source, "%s/%d%s", dir, ++serial, suffix);
    snprintf(library, sizeof library, "%s/%d.so", dir, serial);
    write_text(source, text);
    snprintf(line, sizeof line, "%s -O0 -w -ffp-contract=off -shared -fPIC -o %s %s -lm", compiler, library, source);
    if (system(line)) fail_msg("%s: does not compile (%s)", name, source);
    void *h = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!h) fail_msg("%s: %s", name, dlerror());
    return h;
}

/* What of CUDA the definitions of rg_NAME use (ir/device_library.c), in C++: a tree runs in one thread, and what sorts
 * in blocks need only compile. `asm volatile("trap;")` ends the test. */
static const char host_cuda[] =
    "#define __shared__ static\n#define __align__(n) __attribute__((aligned(n)))\n"
    "#define asm\n#define volatile(text) abort()\n"
    "static struct { int x, y, z; } threadIdx;\nstatic inline void __syncthreads() {}\n"
    "static inline int __popc(unsigned x) { return __builtin_popcount(x); }\n"
    "static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }\n"
    "static inline int __ffs(int x) { return __builtin_ffs(x); }\n"
    "static inline int __ffsll(long long x) { return __builtin_ffsll(x); }\n"
    "static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }\n"
    "static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }\n"
    "static inline unsigned __brev(unsigned x)\n{\n    unsigned r = 0;\n"
    "    for (int i = 0; i < 32; i++) r |= (x >> i & 1u) << (31 - i);\n    return r;\n}\n"
    "static inline unsigned long long __brevll(unsigned long long x)\n{\n"
    "    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));\n}\n"
    "static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s)\n{\n"
    "    unsigned long long all = (unsigned long long)y << 32 | x;\n    unsigned r = 0;\n"
    "    for (int i = 0; i < 4; i++) r |= (unsigned)(all >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;\n"
    "    return r;\n}\n";

/* The tree as a function over the same buffers as the shim's. */
static char *tree_text(const struct rg_problem *p, const struct rg_ctree *t)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b,
               "#include <math.h>\n#include <stdlib.h>\n#include <stdint.h>\n#define __device__\n#define __constant__\n"
               "typedef _Float16 __half;\n"
               "template <class T, class F> static T as(F f) { T t; __builtin_memcpy(&t, &f, sizeof t); return t; }\n"
               "#define __float_as_uint as<unsigned, float>\n#define __uint_as_float as<float, unsigned>\n"
               "#define __double_as_longlong as<long long, double>\n"
               "#define __longlong_as_double as<double, long long>\n");
    rg_buf_str(&b, host_cuda);
    rg_buf_str(&b, p->device_decls);
    rg_buf_str(&b, "extern \"C\" void rg_tree(void **rg_args)\n{\n");
    for (int i = 0; i < t->n_vars; i++) {
        const struct rg_cvar *v = &t->vars[i];
        if (v->kind != RG_CVAR_PARAM) continue;
        const char *type = v->type == RG_STRUCT ? v->c_type : rg_scalar_cuda(v->type);
        rg_buf_printf(&b, "    %s %s = *(%s *)rg_args[%d];\n", type, v->name, type, v->param);
    }
    for (int i = 0; i < t->n_arrays; i++) {
        const struct rg_carray *x = &t->arrays[i];
        if (x->param < 0 || x->constant_table) continue;
        const char *type = x->elem == RG_STRUCT ? x->c_elem : rg_scalar_cuda(x->elem);
        rg_buf_printf(&b, "    %s *%s = (%s *)rg_args[%d];\n", type, x->name, type, x->param);
    }
    struct rg_c_printer printer = {.indent = 1};
    for (int i = 0; i < t->root->n; i++) rg_c_print(&b, t, t->root->kid[i], &printer);
    rg_buf_str(&b, "}\n");
    return rg_buf_steal(&b);
}

static int64_t int_arg(const struct rg_problem *p, const struct rg_sizes *s, const struct rg_input *in, int k)
{
    struct rg_problem_env env;
    int64_t v;
    rg_problem_env_init(&env, p, s);
    if (!in->int_args[k]) return (int64_t)in->real_args[k];
    assert_int_equal(rg_expr_eval(in->int_args[k], &env.env, &v, NULL), RG_OK);
    return v;
}

static void put(void *at, enum rg_scalar t, double v)
{
    switch (t) {
    case RG_F16:
        *(uint16_t *)at = rg__half_from_float((float)v);
        break;
    case RG_F32:
        *(float *)at = (float)v;
        break;
    case RG_F64:
        *(double *)at = v;
        break;
    default: {
        int64_t i = (int64_t)v;
        memcpy(at, &i, rg_scalar_bytes(t));
    }
    }
}

static double value(const struct rg_problem *p, const struct rg_sizes *s, const struct rg_input *in, enum rg_scalar t,
                    int64_t i, int64_t n, struct rg_rng *r)
{
    bool real = rg_scalar_is_real(t);
    switch (in->kind) {
    case RG_INPUT_UNIFORM: {
        double lo = in->int_args[0] ? (double)int_arg(p, s, in, 0) : in->real_args[0],
               hi = in->int_args[1] ? (double)int_arg(p, s, in, 1) : in->real_args[1];
        return real ? lo + (hi - lo) * rg_rng_unit(r) : lo + (double)rg_rng_below(r, (uint64_t)(hi - lo) + 1);
    }
    case RG_INPUT_CONSTANT:
        return in->int_args[0] ? (double)int_arg(p, s, in, 0) : in->real_args[0];
    case RG_INPUT_STRING: /* characters, and zeros behind them */
        if (in->n_args > 3) i %= int_arg(p, s, in, 3);
        return i >= int_arg(p, s, in, 0)
                   ? 0
                   : (double)(int_arg(p, s, in, 1) +
                              (int64_t)rg_rng_below(r, (uint64_t)(int_arg(p, s, in, 2) - int_arg(p, s, in, 1)) + 1));
    case RG_INPUT_PREFIX:
        return n > 1 ? (double)(int_arg(p, s, in, 0) * i / (n - 1)) : 0;
    case RG_INPUT_PERMUTATION:
        return (double)(n - 1 - i);
    case RG_INPUT_SORTED: {
        double lo = in->int_args[0] ? (double)int_arg(p, s, in, 0) : in->real_args[0],
               hi = in->int_args[1] ? (double)int_arg(p, s, in, 1) : in->real_args[1], at = lo + (hi - lo) * i / n;
        return real ? at : floor(at);
    }
    default:
        return real ? 2 * rg_rng_unit(r) - 1 : (double)rg_rng_below(r, 100);
    }
}

static void fill(const struct rg_problem *p, const struct rg_sizes *s, int param, void *data, int64_t n)
{
    const struct rg_param *q = &p->params[param];
    struct rg_rng r;
    rg_rng_seed(&r, (uint64_t)param + 17);
    memset(data, q->role == RG_ROLE_OUT ? 0xFF : 0, (size_t)(n * q->elem_bytes));
    if (q->role == RG_ROLE_OUT) return;
    for (int64_t i = 0; i < n; i++) {
        char *at = (char *)data + i * q->elem_bytes;
        if (q->elem != RG_STRUCT) {
            put(at, q->elem, value(p, s, &q->input, q->elem, i, n, &r));
            continue;
        }
        const struct rg_struct *st = &p->structs[q->struct_index];
        for (int f = 0; f < st->n_fields; f++)
            for (int64_t k = 0; k < st->fields[f].count; k++)
                put(at + st->fields[f].offset + k * (int64_t)rg_scalar_bytes(st->fields[f].type), st->fields[f].type,
                    value(p, s, rg_param_input(q, st->fields[f].path), st->fields[f].type, i, n, &r));
    }
}

static double number(const void *at, enum rg_scalar t)
{
    uint64_t bits = 0;
    if (t == RG_STRUCT) return NAN;
    memcpy(&bits, at, (size_t)rg_scalar_bytes(t));
    if (t == RG_F64) return *(const double *)at;
    if (t == RG_F32) return *(const float *)at;
    if (t == RG_F16) return rg__half_to_float((uint16_t)bits);
    const int above = 64 - 8 * (int)rg_scalar_bytes(t);
    return rg_scalar_is_signed(t) ? (double)((int64_t)(bits << above) >> above) : (double)bits;
}

static void compare(const struct rg_problem *p, const struct rg_sizes *s, void (*init)(void **), void (*in)(void **),
                    void (*ref)(void **), void (*out)(void **), void (*tree)(void **), const int *missed,
                    const char *name)
{
    void **a = calloc((size_t)p->n_params + 1, sizeof *a), **b = calloc((size_t)p->n_params + 1, sizeof *b);
    int64_t *n = calloc((size_t)p->n_params + 1, sizeof *n);
    for (int i = 0; i < p->n_params; i++) {
        n[i] = 1;
        if (p->params[i].kind == RG_PARAM_ARRAY) assert_int_equal(rg_problem_elements(p, i, s, &n[i], NULL), RG_OK);
        a[i] = malloc((size_t)(n[i] * p->params[i].elem_bytes));
        b[i] = malloc((size_t)(n[i] * p->params[i].elem_bytes));
        fill(p, s, i, a[i], n[i]);
        for (int k = 0; k < p->n_size_params; k++)
            if (p->size_params[k] == i) memcpy(a[i], &s->values[k], rg_scalar_bytes(p->params[i].elem));
    }
    if (p->init_function) init(a);
    for (int i = 0; i < p->n_params; i++) { /* members that are parameters have their values in the structure, too */
        const struct rg_param *base;
        int64_t offset;
        if (rg_problem_member(p, &p->params[i], &base, &offset))
            memcpy((char *)a[base - p->params] + offset, a[i], (size_t)p->params[i].elem_bytes);
    }
    bool fits = !missed || !*missed; /* else what it made is for other sizes: no input of these */
    for (int i = 0; i < p->n_params; i++) memcpy(b[i], a[i], (size_t)(n[i] * p->params[i].elem_bytes));
    if (fits) {
        in(a);
        ref(a);
        out(a);
        tree(b);
    }
    for (int i = 0; i < p->n_params; i++) {
        size_t bytes = (size_t)p->params[i].elem_bytes;
        for (int64_t k = 0; k < n[i] && fits && p->params[i].kind == RG_PARAM_ARRAY; k++)
            if (memcmp((char *)a[i] + (size_t)k * bytes, (char *)b[i] + (size_t)k * bytes, bytes))
                fail_msg("%s: element %lld of '%s' differs at size %lld...: %.17g in C, %.17g in the tree", name,
                         (long long)k, p->params[i].name, (long long)(p->n_size_params ? s->values[0] : 0),
                         number((char *)a[i] + (size_t)k * bytes, p->params[i].elem),
                         number((char *)b[i] + (size_t)k * bytes, p->params[i].elem));
        free(a[i]);
        free(b[i]);
    }
    free(a);
    free(b);
    free(n);
}

static bool representable(const struct rg_cnode *n)
{
    if (n->kind == RG_C_VERBATIM) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !representable(n->kid[i])) return false;
    return true;
}

/* One timed size, distinct sizes that satisfy every condition and fit where they say they fit; where something can vary
 * at least three small enough for the simulated device. */
static void check_sizes(const char *path, const struct rg_problem *p)
{
    int timed = 0, on_sim = 0;
    for (int i = 0; i < p->n_sizes; i++) {
        const struct rg_sizes *z = &p->sizes[i];
        struct rg_problem_env env;
        rg_problem_env_init(&env, p, z);
        timed += z->timed;
        on_sim += z->on_sim;
        assert_int_equal(z->timed, i == 0);
        if (z->on_sim) assert_true(z->work <= 4e6);
        if (z->verify) assert_true(z->work <= 2e8);
        for (int r = 0; r < p->n_require; r++) {
            int64_t ok;
            assert_int_equal(rg_expr_eval(p->require[r], &env.env, &ok, NULL), RG_OK);
            if (!ok) fail_msg("%s: size %d breaks require(%s)", path, i, p->require_text[r]);
        }
        for (int k = 0; k < i; k++)
            assert_true(!p->n_size_params ||
                        memcmp(z->values, p->sizes[k].values, (size_t)p->n_size_params * sizeof *z->values));
    }
    assert_int_equal(timed, 1);
    bool repeated = p->n_require > 1 || p->n_size_params == 0; /* conditions may leave few sizes */
    if (!repeated && on_sim < 3) fail_msg("%s: only %d sizes for the simulated device", path, on_sim);
}

/* The text of a `// WORD: TEXT` or `// WORD(FUNCTION): TEXT` line; NULL when it is another, or of another function. */
static const char *expectation(const char *line, const char *word, const char *function)
{
    size_t n = strlen(word), m = strlen(function);
    if (strncmp(line, "// ", 3) || strncmp(line + 3, word, n)) return NULL;
    line += 3 + n;
    if (*line == '(' && !strncmp(line + 1, function, m) && line[1 + m] == ')') line += 2 + m;
    return !strncmp(line, ": ", 2) ? line + 2 : NULL;
}

/* Every `// explain: TEXT` line of the case must be in the explanation, no `// not: TEXT` line may. */
static void check_explanation(const char *path, const struct rg_problem *p, const struct rg_ctree *t)
{
    struct rg_buf text = RG_BUF_INIT;
    FILE *f = fopen(path, "r");
    char line[512];
    rg_frontend_explain(&text, p, t);
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        const char *want = expectation(line, "explain", p->function), *dont = expectation(line, "not", p->function);
        if (want && !strstr(text.data, want)) fail_msg("%s: '%s' is not in\n%s", path, want, text.data);
        if (dont && strstr(text.data, dont)) fail_msg("%s: '%s' is in\n%s", path, dont, text.data);
    }
    fclose(f);
    rg_buf_release(&text);
}

static void one_function(const char *path, const char *function)
{
    struct rg_frontend_options o = {.file = path, .function = function, .rtol = -1, .atol = -1};
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_error e = RG_ERROR_INIT;
    char text[1400];
    if (rg_frontend_load(&o, &p, &t, &e) != RG_OK) fail_msg("%s", rg_error_format(&e, text, sizeof text));
    check_explanation(path, p, t);
    check_sizes(path, p);
    if (representable(t->root)) {
        char *tree = tree_text(p, t);
        void *r = compile(c_compiler(), ".c", p->reference_c, path), *c = compile("c++ -std=c++17", ".cpp", tree, path);
        void (*f[5])(void **);
        const char *const names[] = {"rg_shim_init", "rg_shim_in", "rg_shim_call", "rg_shim_out", "rg_tree"};
        for (int i = 0; i < 5; i++) {
            *(void **)&f[i] = dlsym(i < 4 ? r : c, names[i]);
            assert_non_null(f[i]);
        }
        int compared = 0;
        for (int s = 0; s < p->n_sizes; s++)
            if (p->sizes[s].work <= 1e6) {
                compare(p, &p->sizes[s], f[0], f[1], f[2], f[3], f[4], dlsym(r, "rg_shim_init_missed"), path);
                compared++;
            }
        assert_true(compared > 0);
        dlclose(r);
        dlclose(c);
        free(tree);
    }
    if (p->oracle_c) { /* the wider evaluation compiles, and says which types it has */
        struct shim_param {
            const char *name;
            int kind, type;
            long elem_bytes;
            int n_fields;
            const void *fields;
        };
        void *h = compile(c_compiler(), ".c", p->oracle_c, path);
        const struct shim_param *q = dlsym(h, "rg_shim_params");
        const int *n = dlsym(h, "rg_shim_n_params");
        assert_non_null(q);
        assert_int_equal(*n, p->n_params);
        for (int i = 0; i < p->n_params; i++) {
            assert_string_equal(q[i].name, p->params[i].name);
            if (p->params[i].elem == RG_F32) assert_int_equal(q[i].type, RG_F64);
            if (p->params[i].elem == RG_F32) assert_int_equal(q[i].elem_bytes, 8);
        }
        dlclose(h);
    }
    /* a tree survives its JSON form */
    char *json = rg_ctree_to_json(t), *again;
    struct rg_ctree *copy;
    if (rg_ctree_from_json(json, &copy, &e) != RG_OK) fail_msg("%s: %s", path, e.text);
    again = rg_ctree_to_json(copy);
    assert_string_equal(json, again);
    free(json);
    free(again);
    rg_ctree_free(copy);
    rg_problem_free(p);
    rg_ctree_free(t);
}

/* The file's only function, or those its `// function: NAME` lines give. */
static void one_case(const char *path)
{
    FILE *f = fopen(path, "r");
    char line[512];
    int n = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        const char *only = getenv("RG_FUNCTION");
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "// function: ", 13)) continue;
        n++;
        if (only && strcmp(only, line + 13)) continue;
        if (getenv("RG_VERBOSE")) printf("  %s\n", line + 13);
        one_function(path, line + 13);
    }
    fclose(f);
    if (!n) one_function(path, NULL);
}

static void folder(const char *path)
{
    struct dirent **list;
    int n = scandir(path, &list, NULL, alphasort);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        size_t len = strlen(list[i]->d_name);
        const char *only = getenv("RG_CASE");
        if (len > 2 && !strcmp(list[i]->d_name + len - 2, ".c") && (!only || strstr(list[i]->d_name, only))) {
            char file[512];
            snprintf(file, sizeof file, "%s/%s", path, list[i]->d_name);
            if (getenv("RG_VERBOSE")) printf("%s\n", file);
            one_case(file);
        }
        free(list[i]);
    }
    free(list);
}

static const char *one_file; /* from the command line */
static void test_file(void **state)
{
    one_case(one_file);
}
static void test_cases(void **state)
{
    folder("tests/frontend/cases");
}
static void test_examples(void **state)
{
    folder("examples");
}

int main(int argc, char **argv)
{
    one_file = argc > 1 ? argv[1] : NULL;
    if (access("tests/frontend/cases", R_OK) && chdir("../..")) return 1;
    if (!mkdtemp(dir)) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_examples)};
    const struct CMUnitTest single[] = {cmocka_unit_test(test_file)};
    int failed = one_file ? cmocka_run_group_tests(single, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", dir);
    if (!failed && system(line)) return 1;
    return failed;
}
