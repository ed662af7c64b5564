/* Inputs by their formulas, the reference's outputs, and how far a variant's are from them. */
#include "runtime/data/half.h"
#include "runtime/kernels/kernels.h"
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(enum rg_scalar t, char *to, double v)
{
    switch (t) {
    case RG_F16: {
        uint16_t h = rg__half_from_float((float)v);
        memcpy(to, &h, 2);
        break;
    }
    case RG_F32: {
        float f = (float)v;
        memcpy(to, &f, 4);
        break;
    }
    case RG_F64:
        memcpy(to, &v, 8);
        break;
    default: {
        int64_t i = v < 9.2e18 ? (int64_t)v : (int64_t)(uint64_t)v;
        memcpy(to, &i, rg_scalar_bytes(t));
        break;
    } /* little-endian */
    }
}

static double get(enum rg_scalar t, const char *from)
{
    int64_t i = 0;
    switch (t) {
    case RG_F16: {
        uint16_t h;
        memcpy(&h, from, 2);
        return (double)rg__half_to_float(h);
    }
    case RG_F32: {
        float f;
        memcpy(&f, from, 4);
        return (double)f;
    }
    case RG_F64: {
        double d;
        memcpy(&d, from, 8);
        return d;
    }
    default:
        break;
    }
    size_t n = rg_scalar_bytes(t);
    memcpy(&i, from, n);
    if (rg_scalar_is_signed(t) && n < 8) i = (int64_t)((uint64_t)i << (64 - 8 * n)) >> (64 - 8 * n);
    return n == 8 && !rg_scalar_is_signed(t) ? (double)(uint64_t)i : (double)i;
}

/* ---- inputs ---- */

static int size_name(void *arg, const char *name, int64_t *value)
{
    void **both = arg;
    const struct rg_problem *p = both[0];
    const struct rg_sizes *s = both[1];
    for (int i = 0; i < p->n_size_params; i++)
        if (!strcmp(p->params[p->size_params[i]].name, name)) {
            *value = s->values[i];
            return 1;
        }
    return 0;
}

/* A number, or an integer expression over the sizes. */
static bool number_of(const char *text, const struct rg_problem *p, const struct rg_sizes *s, double *out)
{
    char *end;
    *out = strtod(text, &end);
    while (*end == ' ') end++;
    if (!*end && end != text) return true;
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_error e = RG_ERROR_INIT;
    const struct rg_expr *x;
    const void *both[2] = {p, s};
    struct rg_expr_env env = {.arg = both, .name = size_name};
    int64_t v = 0;
    bool ok = rg_expr_parse_all(&a, text, &x, &e) == RG_OK && rg_expr_eval(x, &env, &v, &e) == RG_OK;
    rg_arena_release(&a);
    *out = (double)v;
    return ok;
}

/* "lcg(seed,lo,hi)" or "affine(a,b)" into its numbers. */
static int formula(const char *text, const struct rg_problem *p, const struct rg_sizes *s, double v[3])
{
    char copy[200], *at = copy, *open, *close;
    if (strlen(text) >= sizeof copy) return 0;
    memcpy(copy, text, strlen(text) + 1);
    open = strchr(copy, '(');
    close = strrchr(copy, ')');
    if (!open || !close || close < open) return 0;
    *open = *close = 0;
    int want = !strcmp(copy, "lcg") ? 3 : !strcmp(copy, "affine") ? 2 : 0, n = 0, depth = 0;
    for (at = open + 1; n < want; n++) {
        char *to = at;
        while (*to && !(*to == ',' && !depth)) depth += (*to == '(') - (*to == ')'), to++;
        bool last = !*to;
        *to = 0;
        if (last != (n == want - 1) || !number_of(at, p, s, &v[n])) return 0;
        at = to + 1;
    }
    return n;
}

enum rg_status rg__kernels_input(struct kernels_problem *k, int size, int i, int64_t *bytes, struct rg_error *err)
{
    const struct rg_param *q = &k->p->params[i];
    const struct rg_sizes *s = &k->p->sizes[size];
    int64_t n;
    enum rg_status st = rg_problem_elements(k->p, i, s, &n, err);
    if (st != RG_OK) return st;
    if (n < 1 || n > ((int64_t)1 << 36) / q->elem_bytes)
        return rg_error_set(err, RG_INPUT, "buffer '%.60s' has %lld elements", q->name, (long long)n);
    *bytes = n * q->elem_bytes;
    if (k->inputs[size][i]) return RG_OK;
    char *to = malloc((size_t)*bytes);
    if (!to) return rg_error_set(err, RG_NOMEM, "no memory for buffer '%.60s'", q->name);
    memset(to, 0xff, (size_t)*bytes);
    k->inputs[size][i] = to;
    if (!q->input.text || q->role == RG_ROLE_OUT) return RG_OK;
    double v[3];
    int have = formula(q->input.text, k->p, s, v);
    if (!have)
        return rg_error_set(err, RG_INPUT,
                            "init \"%.60s\" of buffer '%.60s' is neither lcg(seed,lo,hi) nor affine(a,b)",
                            q->input.text, q->name);
    bool real = rg_scalar_is_real(q->elem);
    if (have == 3 && !real && v[2] - v[1] < 1)
        return rg_error_set(err, RG_INPUT, "init \"%.60s\" of buffer '%.60s' has an empty range", q->input.text,
                            q->name);
    uint32_t seed = have == 3 ? (uint32_t)(int64_t)v[0] : 0,
             width = have == 3 && !real ? (uint32_t)(int64_t)(v[2] - v[1]) : 1;
    for (int64_t j = 0; j < n; j++) {
        double x;
        if (have == 2)
            x = v[0] + v[1] * (double)j;
        else {
            seed = seed * 1664525u + 1013904223u;
            uint32_t h = seed >> 8;
            x = real ? v[1] + (v[2] - v[1]) * (h / 16777216.0) : v[1] + (double)(h % width);
        }
        put(q->elem, to + j * q->elem_bytes, x);
    }
    return RG_OK;
}

/* ---- the reference ---- */

typedef void (*shim_fn)(void **);

/* ref.c twice in one library: with `float` made `double` (what the check is against) and as written (where that cannot
 * be compiled, or where the code looks at a float's bits). The mathematics' float functions become the double ones. */
static const char wide[] =
    "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include "
    "<limits.h>\n#include <float.h>\n#include <stdbool.h>\n"
    "#define sqrtf sqrt\n#define expf exp\n#define exp2f exp2\n#define logf log\n#define log2f log2\n#define log10f "
    "log10\n#define sinf sin\n#define cosf cos\n#define tanf tan\n"
    "#define tanhf tanh\n#define powf pow\n#define fabsf fabs\n#define fmaxf fmax\n#define fminf fmin\n#define floorf "
    "floor\n#define ceilf ceil\n#define roundf round\n#define erff erf\n"
    "#define erfcf erfc\n#define atanf atan\n#define atan2f atan2\n#define fmaf fma\n#define fmodf fmod\n#define "
    "hypotf hypot\n#define cbrtf cbrt\n#define truncf trunc\n#define expm1f expm1\n"
    "#define log1pf log1p\n#define sinhf sinh\n#define coshf cosh\n#define asinf asin\n#define acosf acos\n#define "
    "rintf rint\n#define copysignf copysign\n#include <math.h>\n";

static bool shim(const char *file, const struct kernels_problem *k, bool widened)
{
    const struct rg_problem *p = k->p;
    struct rg_buf b = RG_BUF_INIT;
    if (widened) rg_buf_printf(&b, "%s#define float double\n", wide);
    rg_buf_printf(&b, "#include \"ref.c\"\nvoid rg_shim(void **a) { %s(", p->function);
    for (int i = 0; i < p->n_params; i++) {
        const char *comma = i ? ", " : "";
        if (p->params[i].kind == RG_PARAM_ARRAY)
            rg_buf_printf(&b, "%sa[%d]", comma, i);
        else
            rg_buf_printf(&b, "%s*(%s *)a[%d]", comma, rg_scalar_c(p->params[i].elem), i);
    }
    rg_buf_printf(&b, "); }\n");
    struct rg_error e = RG_ERROR_INIT;
    bool ok = rg_file_write(file, b.data, b.len, &e) == RG_OK;
    rg_buf_release(&b);
    return ok;
}

/* Its messages go where ours go, but for the attempt that may fail. */
static bool compile(const char *folder, const char *c, const char *so, bool quiet)
{
    const char *cc = getenv("CC");
    char *include = rg_xasprintf("-I%s", folder);
    const char *argv[] = {cc && *cc ? cc : "cc", "-O2", "-shared", "-fPIC", "-w", include, "-o", so, c, "-lm", NULL};
    pid_t pid = fork();
    if (pid == 0) {
        if (quiet && !freopen("/dev/null", "w", stderr)) _exit(127);
        execvp(argv[0], (char *const *)(intptr_t)argv);
        _exit(127);
    }
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    free(include);
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static shim_fn build(const struct kernels_problem *k, bool widened, void **lib)
{
    char dir[] = "/tmp/regraph-kernels-XXXXXX";
    *lib = NULL;
    if (!mkdtemp(dir)) return NULL;
    char *c = rg_xasprintf("%s/ref_shim.c", dir), *so = rg_xasprintf("%s/ref.so", dir),
         *folder = realpath(k->folder, NULL);
    shim_fn fn = NULL;
    if (folder && shim(c, k, widened) && compile(folder, c, so, widened)) *lib = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    if (*lib) *(void **)&fn = dlsym(*lib, "rg_shim");
    unlink(c);
    unlink(so);
    rmdir(dir);
    free(c);
    free(so);
    free(folder);
    return fn;
}

static enum rg_scalar widened_type(enum rg_scalar t, bool widened)
{
    return widened && t == RG_F32 ? RG_F64 : t;
}

static enum rg_status evaluate(struct kernels_problem *k, int size, bool widened, double **out, struct rg_error *err)
{
    const struct rg_problem *p = k->p;
    void *lib, *args[KERNELS_MAX_BUFFERS] = {0};
    shim_fn fn = build(k, widened, &lib);
    if (!fn) {
        if (lib) dlclose(lib);
        return rg_error_set(err, RG_INPUT,
                            "%.120s/ref.c has no function '%.60s' that compiles with the arguments of problem.json",
                            k->folder, p->function);
    }
    int64_t scalars[KERNELS_MAX_BUFFERS], n[KERNELS_MAX_BUFFERS] = {0}, bytes;
    enum rg_status s = RG_OK;
    for (int i = 0; i < p->n_params && s == RG_OK; i++) {
        const struct rg_param *q = &p->params[i];
        enum rg_scalar t = widened_type(q->elem, widened);
        if (q->kind != RG_PARAM_ARRAY) {
            double v = k->scalars[i];
            for (int j = 0; j < p->n_size_params; j++)
                if (p->size_params[j] == i) v = (double)p->sizes[size].values[j];
            if (q->elem == RG_F32) v = (double)(float)v;
            put(t, (char *)&scalars[i], v);
            args[i] = &scalars[i];
            continue;
        }
        s = rg__kernels_input(k, size, i, &bytes, err);
        if (s != RG_OK) break;
        n[i] = bytes / q->elem_bytes;
        char *to = args[i] = malloc((size_t)n[i] * rg_scalar_bytes(t));
        if (!to) s = rg_error_set(err, RG_NOMEM, "no memory for the reference");
        for (int64_t j = 0; s == RG_OK && j < n[i]; j++) {
            if (t == q->elem)
                memcpy(to + j * q->elem_bytes, k->inputs[size][i] + j * q->elem_bytes, (size_t)q->elem_bytes);
            else
                put(t, to + j * 8, get(q->elem, k->inputs[size][i] + j * q->elem_bytes));
        }
    }
    if (s == RG_OK) fn(args);
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->kind != RG_PARAM_ARRAY) continue;
        enum rg_scalar t = widened_type(q->elem, widened);
        if (s == RG_OK && q->role != RG_ROLE_IN) {
            out[i] = rg_xmalloc(sizeof(double) * (size_t)n[i]);
            for (int64_t j = 0; j < n[i]; j++)
                out[i][j] = get(t, (const char *)args[i] + j * (int64_t)rg_scalar_bytes(t));
        }
        free(args[i]);
    }
    dlclose(lib);
    return s;
}

enum rg_status rg__kernels_expect(struct kernels_problem *k, int size, struct rg_error *err)
{
    if (k->evaluated[size]) return RG_OK;
    struct rg_error e = RG_ERROR_INIT;
    (void)evaluate(k, size, true, k->expected[size], &e); /* code that looks at a float's bits may not compile so */
    enum rg_status s = evaluate(k, size, false, k->plain[size], err);
    k->evaluated[size] = s == RG_OK;
    return s;
}

static double worst_of(const double *ref, enum rg_scalar t, const char *got, int64_t n)
{
    double mean = 0, worst = 0;
    size_t bytes = rg_scalar_bytes(t);
    for (int64_t j = 0; j < n; j++) mean += fabs(ref[j]) / (double)n;
    for (int64_t j = 0; j < n; j++) {
        double v = get(t, got + (size_t)j * bytes), r = ref[j],
               d = v == r || (isnan(v) && isnan(r)) ? 0 : fabs(v - r) / (fabs(r) + mean);
        if (!(d <= worst)) worst = isnan(d) ? INFINITY : d;
    }
    return worst;
}

double rg__kernels_compare(const struct kernels_problem *k, int size, int i, const void *got)
{
    const struct rg_param *q = &k->p->params[i];
    struct rg_error e = RG_ERROR_INIT;
    int64_t n = 0;
    if (rg_problem_elements(k->p, i, &k->p->sizes[size], &n, &e) != RG_OK) return INFINITY;
    double a = k->expected[size][i] ? worst_of(k->expected[size][i], q->elem, got, n) : INFINITY;
    double b = k->plain[size][i] ? worst_of(k->plain[size][i], q->elem, got, n) : INFINITY;
    return a < b ? a : b;
}
