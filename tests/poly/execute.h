/* Executes what the coder prints, on the CPU (cpu_shim.h), and compares it with the tree run sequentially. */
#ifndef TESTS_POLY_EXECUTE_H
#define TESTS_POLY_EXECUTE_H
#include <dlfcn.h>
#include <math.h>
#include <rg/candidate.h>
#include <rg/ctree.h>
#include <rg/problem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct execution {
    void *handle;
    const char *(*run)(void **a, int reversed);
    void (*reference)(void **a);
};

static const char *execute_type(enum rg_scalar t, const char *c_elem)
{
    return t == RG_STRUCT ? c_elem : rg_scalar_cuda(t);
}

/* scratch T x[n];  ->  T *x = ...;   k<<<g, b>>>(args);  ->  launch */
static void execute_plan(struct rg_buf *out, const char *plan)
{
    while (*plan) {
        const char *end = strchrnul(plan, '\n');
        char *line = strndup(plan, (size_t)(end - plan)), *s = line;
        while (*s == ' ') s++;
        if (!strncmp(s, "[cooperative] ", 14)) s += 14;
        char *open = strstr(s, "<<<"), *close = strstr(s, ">>>");
        if (!strncmp(s, "scratch ", 8)) {
            char *br = strchr(s, '['), *name = br;
            while (name[-1] != ' ') name--;
            *strrchr(s, ']') = 0;
            *br = 0;
            name[-1] = 0;
            rg_buf_printf(out, "%s *%s = (%s *)shim::scratch((long long)sizeof(%s) * (%s));\n", s + 8, name, s + 8,
                          s + 8, br + 1);
        } else if (open && close) {
            *open = *close = 0;
            char *args = close + 3;
            *strrchr(args, ';') = 0;
            rg_buf_printf(out, "shim::launch(%s, [&] { %s%s; });\n", open + 3, s, args);
            /* grid and block are the two halves: `g, b` or `dim3(..), dim3(..)` */
        } else {
            rg_buf_printf(out, "%s\n", s);
        }
        free(line);
        plan = *end ? end + 1 : end;
    }
}

static void execute_params(struct rg_buf *out, const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        const char *t = execute_type(q->elem, q->c_elem);
        if (q->kind == RG_PARAM_SCALAR)
            rg_buf_printf(out, "    %s %s = *(%s *)rg_a[%d];\n", t, q->name, t, i);
        else
            rg_buf_printf(out, "    %s *%s = (%s *)rg_a[%d];\n", t, q->name, t, i);
    }
}

struct execute_job {
    const struct rg_problem *problem;
    const struct rg_ctree *tree;
    struct rg_source source;
    char label[300];
    struct execution x;
};

static void execute_text(struct rg_buf *b, const struct execute_job *j, int k)
{
    rg_buf_printf(b, "namespace job%d {\n", k);
    static const char pool[] = "extern __shared__ ";
    for (const char *s = j->source.cuda, *at; *s;
         s = at) { /* its size is the launch's; the shim has one block at a time */
        at = strstr(s, pool);
        const char *end = at ? strstr(at, "[];") : NULL;
        rg_buf_printf(b, "%.*s", (int)(end ? at - s : (long)strlen(s)), s);
        if (end)
            rg_buf_printf(b, "static %.*s[232448];", (int)(end - at) - (int)(sizeof pool - 1), at + sizeof pool - 1);
        at = end ? end + 3 : s + strlen(s);
    }
    rg_buf_printf(b, "extern \"C\" const char *rg_run%d(void **rg_a, int reversed)\n{\n", k);
    rg_buf_str(b, "    auto min = [](long long x, long long y) { return y < x ? y : x; };\n"
                  "    auto max = [](long long x, long long y) { return x < y ? y : x; };\n"
                  "    auto ceil_div = [](long long x, long long y) { return x > 0 ? (x + y - 1) / y : x / y; };\n"
                  "    auto pow2_from = [](long long x) { long long p = 1; while (p < x) p *= 2; return p; };\n"
                  "    auto swap = [](auto *&x, auto *&y) { auto *was = x; x = y; y = was; }; (void)swap;\n"
                  "    (void)min; (void)max; (void)ceil_div; (void)pow2_from; const long long resident_blocks = 1; "
                  "(void)resident_blocks; shim::failure = nullptr; shim::reversed = reversed;\n");
    rg_buf_printf(b, "    shim::plain = %d;\n",
                  !strstr(j->source.cuda, "__sync") && !strstr(j->source.cuda, "_sync(") &&
                      !strstr(j->source.cuda, ".sync()"));
    execute_params(b, j->problem);
    execute_plan(b, j->source.plan);
    for (int i = 0; i < j->problem->n_params; i++)
        if (j->problem->params[i].kind != RG_PARAM_SCALAR)
            rg_buf_printf(b, "    shim::settle(rg_a[%d], %s);\n", i, j->problem->params[i].name);
    rg_buf_printf(b, "    shim::release();\n    return shim::failure;\n}\nextern \"C\" void rg_ref%d(void **rg_a)\n{\n",
                  k);
    execute_params(b, j->problem);
    struct rg_c_printer pr = {NULL, NULL, 1};
    rg_c_print(b, j->tree, j->tree->root, &pr);
    rg_buf_str(b, "}\n}\n");
}

/* One compilation for all. false: it fails (the compiler's messages are on stderr). */
static bool execute_compile(struct execute_job *jobs, int n)
{
    char cpp[64], so[64], cmd[1200];
    snprintf(cpp, sizeof cpp, "/tmp/rg-poly-%d-XXXXXX.cpp", (int)getpid());
    int fd = mkstemps(cpp, 4);
    snprintf(so, sizeof so, "%.*s.so", (int)strlen(cpp) - 4, cpp);
    struct rg_buf b = RG_BUF_INIT;
    char here[400];
    snprintf(here, sizeof here, "%s", __FILE__);
    *strrchr(here, '/') = 0;
    char *root = getcwd(NULL, 0);
    rg_buf_printf(&b, "#include \"%s%s%s/cpu_shim.h\"\n", here[0] == '/' ? "" : root, here[0] == '/' ? "" : "/", here);
    char folder[900];
    snprintf(folder, sizeof folder, "%s%s%s/shim", here[0] == '/' ? "" : root, here[0] == '/' ? "" : "/", here);
    free(root);
    for (int i = 0; i < n; i++) execute_text(&b, &jobs[i], i);
    bool ok = write(fd, b.data, b.len) == (ssize_t)b.len;
    close(fd);
    rg_buf_release(&b);
    snprintf(cmd, sizeof cmd,
             "c++ -std=c++14 -O1 -w -fno-strict-aliasing -ffp-contract=off -shared -fPIC -I%s -o %s %s 1>&2", folder,
             so, cpp);
    ok = ok && system(cmd) == 0;
    void *handle = ok ? dlopen(so, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (int i = 0; i < n && handle; i++) {
        char name[32];
        jobs[i].x.handle = i == 0 ? handle : NULL;
        snprintf(name, sizeof name, "rg_run%d", i);
        jobs[i].x.run = (const char *(*)(void **, int))(intptr_t)dlsym(handle, name);
        snprintf(name, sizeof name, "rg_ref%d", i);
        jobs[i].x.reference = (void (*)(void **))(intptr_t)dlsym(handle, name);
    }
    if (!getenv("RG_KEEP")) {
        unlink(cpp);
        unlink(so);
    } else {
        fprintf(stderr, "kept %s\n", cpp);
    }
    return handle != NULL;
}

static void execute_release(struct execute_job *jobs, int n)
{
    for (int i = 0; i < n; i++) rg_source_release(&jobs[i].source);
    if (n && jobs[0].x.handle) dlclose(jobs[0].x.handle);
}

struct execute_buffer {
    void *map, *data;
    size_t mapped, bytes;
};

/* The end stands against a page that can't be touched. */
static void execute_alloc(struct execute_buffer *b, size_t bytes)
{
    size_t page = 4096, size = (bytes + page - 1) / page * page;
    b->mapped = size + 2 * page;
    b->map = mmap(NULL, b->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(b->map, page, PROT_NONE);
    mprotect((char *)b->map + page + size, page, PROT_NONE);
    b->data = (char *)b->map + page + size - bytes;
    b->bytes = bytes;
}

static double execute_value(enum rg_scalar t, const void *p)
{
    switch (t) {
    case RG_F32:
        return *(const float *)p;
    case RG_F64:
        return *(const double *)p;
    case RG_I32:
        return *(const int *)p;
    case RG_U32:
        return *(const unsigned *)p;
    case RG_I16:
        return *(const short *)p;
    case RG_U16:
        return *(const unsigned short *)p;
    case RG_LONG:
        return (double)*(const long *)p;
    case RG_ULONG:
        return (double)*(const unsigned long *)p;
    case RG_LLONG:
        return (double)*(const long long *)p;
    default:
        return *(const unsigned char *)p;
    }
}

static bool execute_compare(const struct rg_problem *p, int i, const struct execute_buffer *want,
                            const struct execute_buffer *got, char *why, size_t size)
{
    const struct rg_param *q = &p->params[i];
    const struct rg_struct *st = q->elem == RG_STRUCT ? &p->structs[q->struct_index] : NULL;
    size_t step = st ? (size_t)st->bytes : rg_scalar_bytes(q->elem), n = want->bytes / step;
    double scale = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t e = 0; e < n; e++)
            for (int f = 0; f < (st ? st->n_fields : 1); f++)
                for (int64_t c = 0; c < (st ? st->fields[f].count : 1); c++) {
                    enum rg_scalar t = st ? st->fields[f].type : q->elem;
                    size_t at = e * step + (st ? (size_t)(st->fields[f].offset + c * (int64_t)rg_scalar_bytes(t)) : 0);
                    double a = execute_value(t, (char *)want->data + at), b = execute_value(t, (char *)got->data + at);
                    if (pass == 0) {
                        scale = isfinite(a) && fabs(a) > scale ? fabs(a) : scale;
                        continue;
                    }
                    double tol = !rg_scalar_is_real(t) ? 0 : t == RG_F64 ? 1e-9 : 2e-4;
                    bool same = (isnan(a) && isnan(b)) || (isinf(a) && isinf(b) && a * b > 0) ||
                                fabs(a - b) <= tol * fabs(a) + tol * 0.02 * scale;
                    if (!same) {
                        snprintf(why, size, "%s[%zu] is %.9g, not %.9g", q->name, e, b, a);
                        return false;
                    }
                }
    return true;
}

/* Runs both at the sizes; fill(arg, param, elements, to) makes inputs. */
static bool execute_case(const struct execution *x, const struct rg_problem *p, const struct rg_sizes *sizes,
                         void (*fill)(void *arg, int param, int64_t elements, void *to), void *arg, int reversed,
                         char *why, size_t size)
{
    struct execute_buffer want[32], got[32];
    void *a[32], *b[32];
    struct rg_error err = RG_ERROR_INIT;
    bool ok = true;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        int64_t n = 1;
        if (q->kind == RG_PARAM_ARRAY && rg_problem_elements(p, i, sizes, &n, &err) != RG_OK) {
            snprintf(why, size, "%.200s", err.text);
            return false;
        }
        size_t bytes = (size_t)n * (size_t)(q->elem == RG_STRUCT ? p->structs[q->struct_index].bytes
                                                                 : (int64_t)rg_scalar_bytes(q->elem));
        execute_alloc(&want[i], bytes);
        execute_alloc(&got[i], bytes);
        memset(want[i].data, 0, bytes);
        fill(arg, i, n, want[i].data);
        for (int z = 0; z < p->n_size_params; z++)
            if (p->size_params[z] == i) {
                if (rg_scalar_bytes(q->elem) == 8)
                    *(int64_t *)want[i].data = sizes->values[z];
                else
                    *(int *)want[i].data = (int)sizes->values[z];
            }
        memcpy(got[i].data, want[i].data, bytes);
        a[i] = want[i].data;
        b[i] = got[i].data;
    }
    x->reference(a);
    const char *failure = x->run(b, reversed);
    if (failure) {
        snprintf(why, size, "%s", failure);
        ok = false;
    }
    for (int i = 0; i < p->n_params && ok; i++)
        if (p->params[i].kind == RG_PARAM_ARRAY) ok = execute_compare(p, i, &want[i], &got[i], why, size);
    for (int i = 0; i < p->n_params; i++) {
        munmap(want[i].map, want[i].mapped);
        munmap(got[i].map, got[i].mapped);
    }
    return ok;
}
#endif
