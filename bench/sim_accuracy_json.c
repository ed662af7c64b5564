/* bench/sim_accuracy - how well the simulated device's estimates order kernels whose times are known.
 *
 *   sim_accuracy FOLDER [--device h200] [--only PROBLEM[/vNN]] [--verify|--check] [--counters] [--json]
 *
 * FOLDER holds h200.json and, per problem, problem.json, ref.c and vNN.cu, as shared/kernels/README.md describes. Every variant is
 * compiled (NVRTC), estimated at `sizes` and, with --verify, run in full at `small_sizes` and compared with ref.c; --check does that
 * with races and uninitialised reads looked for. Prints a line a variant and, per problem, Spearman's rank correlation, pairs more than 1.2x apart ordered right, whether the best is among the model's
 * first three, regret of its first choice, estimates within 1.5x; `split` in h200.json ("open", "held") groups the summary. */
#include "runtime/compiler.h"
#include "runtime/device.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/plan.h>
#include <dirent.h>
#include <dlfcn.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_BUFFERS = 32, MAX_VARIANTS = 64 };

struct options { const char *folder, *device, *only; bool verify, check, counters, json; };
struct buffer { rg_addr addr; int64_t bytes; char name[32]; };
struct host {
    struct rg_device *d;
    struct rg_module *module;
    const struct rg_problem *p;
    const struct rg_kernel_sig *sigs;
    const double *scalars; /* per parameter */
    int n;
    struct buffer b[MAX_BUFFERS];
    struct rg_fault fault;
};

static void die(const char *what, const struct rg_error *e)
{
    char text[1400];
    fprintf(stderr, "sim_accuracy: %s: %s\n", what, rg_error_format(e, text, sizeof text));
    exit(1);
}

/* ---- a problem from problem.json ---- */

static struct rg_problem *problem_of(json_t *o, double *scalars)
{
    struct rg_problem *p = rg_problem_new();
    struct rg_error e = RG_ERROR_INIT;
    json_t *args = json_object_get(o, "args"), *sizes = json_object_get(o, "sizes"), *buffers = json_object_get(o, "buffers");
    p->function = rg_arena_strdup(&p->arena, json_string_value(json_object_get(o, "function")));
    p->n_params = (int)json_array_size(args);
    p->params = rg_arena_alloc(&p->arena, sizeof *p->params * (size_t)p->n_params);
    p->size_params = rg_arena_alloc(&p->arena, sizeof(int) * (size_t)p->n_params);
    for (int i = 0; i < p->n_params; i++) {
        struct rg_param *q = &p->params[i];
        q->name = rg_arena_strdup(&p->arena, json_string_value(json_array_get(args, (size_t)i)));
        q->struct_index = -1;
        q->elem = RG_I32;
        json_t *size = json_object_get(sizes, q->name), *scalar = json_object_get(json_object_get(o, "scalars"), q->name);
        if (size) p->size_params[p->n_size_params++] = i;
        else if (scalar) {
            rg_scalar_parse(json_string_value(json_object_get(scalar, "type")), &q->elem);
            scalars[i] = json_number_value(json_object_get(scalar, "value"));
        } else {
            q->kind = RG_PARAM_ARRAY;
            json_t *b = NULL, *it;
            size_t k;
            json_array_foreach(buffers, k, it) if (!strcmp(json_string_value(json_object_get(it, "name")), q->name)) b = it;
            if (!b) die(q->name, &e);
            rg_scalar_parse(json_string_value(json_object_get(b, "type")), &q->elem);
            const char *role = json_string_value(json_object_get(b, "role")), *text = json_string_value(json_object_get(b, "extent")),
                       *cursor = rg_arena_strdup(&p->arena, text), *init = json_string_value(json_object_get(b, "init"));
            q->role = !strcmp(role, "in") ? RG_ROLE_IN : !strcmp(role, "out") ? RG_ROLE_OUT : RG_ROLE_INOUT;
            q->c_const = q->role == RG_ROLE_IN;
            q->n_dims = 1;
            q->dims = rg_arena_alloc(&p->arena, sizeof *q->dims);
            q->input.text = init ? rg_arena_strdup(&p->arena, init) : NULL;
            if (rg_expr_parse(&p->arena, &cursor, "extent", 1, 1, &q->dims[0], &e)) die(text, &e);
        }
        q->elem_bytes = (int64_t)rg_scalar_bytes(q->elem);
        q->c_elem = rg_scalar_c(q->elem);
    }
    p->sizes = rg_arena_alloc(&p->arena, sizeof *p->sizes * 2);
    p->n_sizes = 2;
    for (int s = 0; s < 2; s++) {
        p->sizes[s].values = rg_arena_alloc(&p->arena, 8 * (size_t)p->n_params);
        for (int i = 0; i < p->n_size_params; i++)
            p->sizes[s].values[i] = json_integer_value(
                json_object_get(json_object_get(o, s ? "small_sizes" : "sizes"), p->params[p->size_params[i]].name));
    }
    return p;
}

static void fill_input(const char *init, enum rg_scalar t, char *to, int64_t n)
{
    unsigned seed = 0;
    double a = 0, b = 0;
    char bound[32] = "";
    memset(to, 0xff, (size_t)n * rg_scalar_bytes(t));
    if (!init) return;
    bool affine = sscanf(init, "affine(%lf,%lf)", &a, &b) == 2;
    if (!affine && sscanf(init, "lcg(%u,%lf,%31[^)])", &seed, &a, bound) != 3) return;
    if (!affine) b = bound[0] >= '0' || bound[0] == '-' ? (bound[0] > '9' ? 0 : atof(bound)) : 0;
    uint32_t s = seed;
    for (int64_t i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        uint32_t h = s >> 8;
        double v = affine ? a + b * (double)i : rg_scalar_is_real(t) ? a + (b - a) * (h / 16777216.0) : a + (double)(h % (uint32_t)(b - a));
        if (t == RG_F32) ((float *)(void *)to)[i] = (float)v;
        else if (t == RG_F64) ((double *)(void *)to)[i] = v;
        else if (t == RG_I32 || t == RG_U32) ((int32_t *)(void *)to)[i] = (int32_t)v;
        else if (rg_scalar_bytes(t) == 1) to[i] = (char)v;
        else if (rg_scalar_bytes(t) == 8) ((int64_t *)(void *)to)[i] = (int64_t)v;
    }
}

/* "lcg(20,0,n)": the bound may name a size */
static char *resolve(const char *init, const struct rg_problem *p, const struct rg_sizes *s)
{
    if (!init) return NULL;
    char *r = rg_xstrdup(init);
    for (int i = 0; i < p->n_size_params; i++) {
        const char *name = p->params[p->size_params[i]].name;
        char *last = strrchr(r, ','), *end = strrchr(r, ')');
        if (last && end && strlen(name) == (size_t)(end - last - 1) && !strncmp(last + 1, name, strlen(name))) {
            *last = 0;
            char *q = rg_xasprintf("%s,%lld)", r, (long long)s->values[i]);
            free(r);
            r = q;
        }
    }
    return r;
}

/* ---- the plan over the device ---- */

static enum rg_status on_scratch(void *arg, const char *name, enum rg_scalar elem, int si, int64_t n, int *handle, struct rg_error *err)
{
    struct host *h = arg;
    struct buffer *b = &h->b[h->n];
    b->bytes = n * (int64_t)rg_scalar_bytes(elem);
    snprintf(b->name, sizeof b->name, "%s", name);
    *handle = h->n++;
    enum rg_status s = h->d->alloc(h->d->self, (size_t)b->bytes, name, &b->addr, err);
    if (!s) s = h->d->fill(h->d->self, b->addr, (size_t)b->bytes, 1, 0xff, err);
    if (!s) h->d->undefined(h->d->self, b->addr, (size_t)b->bytes, false);
    return s;
}

static void store(enum rg_scalar t, char *to, double v, int64_t i, bool real)
{
    if (t == RG_F32) { float f = real ? (float)v : (float)i; memcpy(to, &f, 4); }
    else if (t == RG_F64) { double f = real ? v : (double)i; memcpy(to, &f, 8); }
    else { int64_t w = real ? (int64_t)v : i; memcpy(to, &w, rg_scalar_bytes(t)); }
}

static enum rg_status on_launch(void *arg, const struct rg_plan_launch *l, struct rg_error *err)
{
    struct host *h = arg;
    const void *args[64];
    size_t bytes[64];
    char values[64][8];
    for (int i = 0; i < l->n_args; i++) {
        const struct rg_plan_value *v = &l->args[i];
        args[i] = values[i];
        bytes[i] = 8;
        if (v->kind == RG_ARG_BUFFER) {
            rg_addr a = h->b[v->buffer].addr + (rg_addr)(v->offset * (int64_t)rg_scalar_bytes(v->type.type));
            memcpy(values[i], &a, 8);
        } else {
            bytes[i] = rg_scalar_bytes(v->type.type);
            store(v->type.type, values[i], v->kind == RG_ARG_SCALAR ? h->scalars[v->param] : v->real, v->offset,
                  v->kind == RG_ARG_REAL || (v->kind == RG_ARG_SCALAR && rg_scalar_is_real(h->p->params[v->param].elem)));
        }
    }
    struct rg_launch q = {.module = h->module, .kernel = l->kernel, .shared_bytes = l->shared_bytes, .cooperative = l->cooperative,
                          .n_args = l->n_args, .args = args, .arg_bytes = bytes};
    memcpy(q.grid, l->grid, sizeof q.grid);
    memcpy(q.block, l->block, sizeof q.block);
    memcpy(q.cluster, l->cluster, sizeof q.cluster);
    enum rg_status s = h->d->launch(h->d->self, &q, &h->fault, err);
    if (!s && h->fault.outcome != RG_OUTCOME_OK) return rg_error_set(err, RG_CANCELED, "%s", h->fault.message);
    return s;
}

static enum rg_status on_fill(void *arg, int b, int64_t n, enum rg_scalar elem, int64_t v, double real, bool is_real, struct rg_error *err)
{
    struct host *h = arg;
    uint64_t bits = 0;
    char t[8] = {0};
    store(elem, t, real, v, is_real);
    memcpy(&bits, t, 8);
    return h->d->fill(h->d->self, h->b[b].addr, (size_t)n, (int)rg_scalar_bytes(elem), bits, err);
}
static enum rg_status on_copy(void *arg, int to, int64_t ot, int from, int64_t of, int64_t n, int64_t size, struct rg_error *err)
{
    struct host *h = arg;
    return h->d->copy(h->d->self, h->b[to].addr + (rg_addr)(ot * size), h->b[from].addr + (rg_addr)(of * size), (size_t)(n * size), err);
}
static enum rg_status on_symbol(void *arg, const char *symbol, int from, int64_t of, int64_t n, int64_t size, struct rg_error *err)
{
    struct host *h = arg;
    rg_addr a;
    size_t bytes;
    enum rg_status s = h->d->symbol(h->d->self, h->module, symbol, &a, &bytes, err);
    return s ? s : h->d->copy(h->d->self, a, h->b[from].addr + (rg_addr)(of * size), (size_t)(n * size), err);
}
static enum rg_status on_read(void *arg, int b, int64_t i, enum rg_scalar elem, int64_t *v, struct rg_error *err)
{
    struct host *h = arg;
    char t[8];
    size_t n = rg_scalar_bytes(elem);
    enum rg_status s = h->d->from_device(h->d->self, t, h->b[b].addr + (rg_addr)i * n, n, err);
    *v = 0;
    memcpy(v, t, n);
    if (rg_scalar_is_signed(elem) && n == 4) *v = (int32_t)*v;
    return s;
}

/* ---- a variant ---- */

struct result { char name[16]; char desc[80]; double measured, estimate, seconds, full_seconds, error; bool ok, verified, held; char note[256]; char limiter[16]; };

static void upload(struct host *h, const struct rg_problem *p, const struct rg_sizes *s, char **copies)
{
    struct rg_error e = RG_ERROR_INIT;
    for (int i = 0; i < p->n_params; i++) {
        h->b[i] = (struct buffer){0, 0, ""};
        if (p->params[i].kind != RG_PARAM_ARRAY) continue;
        int64_t n;
        if (rg_problem_elements(p, i, s, &n, &e)) die("extent", &e);
        h->b[i].bytes = n * p->params[i].elem_bytes;
        if (!copies[i]) {
            copies[i] = rg_xmalloc((size_t)h->b[i].bytes);
            char *init = resolve(p->params[i].input.text, p, s);
            fill_input(init, p->params[i].elem, copies[i], n);
            free(init);
        }
        if (h->d->alloc(h->d->self, (size_t)h->b[i].bytes, p->params[i].name, &h->b[i].addr, &e) ||
            h->d->to_device(h->d->self, h->b[i].addr, copies[i], (size_t)h->b[i].bytes, &e))
            die("upload", &e);
        if (p->params[i].role == RG_ROLE_OUT) h->d->undefined(h->d->self, h->b[i].addr, (size_t)h->b[i].bytes, true);
    }
    h->n = p->n_params;
}
static void drop(struct host *h)
{
    for (int i = 0; i < h->n; i++)
        if (h->b[i].addr) h->d->release(h->d->self, h->b[i].addr);
    h->n = 0;
}

typedef void (*reference_fn)(void **);
static void *reference(const char *folder, const struct rg_problem *p, reference_fn *fn)
{
    char dir[] = "/tmp/sim_accuracy_XXXXXX";
    if (!mkdtemp(dir)) return NULL;
    char *c = rg_xasprintf("%s/r.c", dir), *so = rg_xasprintf("%s/r.so", dir);
    FILE *f = fopen(c, "w");
    fprintf(f, "#include \"%s/ref.c\"\nvoid shim(void **a) { %s(", folder, p->function);
    for (int i = 0; i < p->n_params; i++) {
        fprintf(f, "%s", i ? ", " : "");
        if (p->params[i].kind == RG_PARAM_ARRAY) fprintf(f, "a[%d]", i);
        else fprintf(f, "*(%s *)a[%d]", rg_scalar_c(p->params[i].elem), i);
    }
    fprintf(f, "); }\n");
    fclose(f);
    char *cmd = rg_xasprintf("cc -O2 -shared -fPIC -w -o %s %s -lm", so, c);
    void *lib = system(cmd) ? NULL : dlopen(so, RTLD_NOW);
    *fn = NULL;
    if (lib) *(void **)fn = dlsym(lib, "shim");
    unlink(c);
    unlink(so);
    rmdir(dir);
    free(c);
    free(so);
    free(cmd);
    return lib;
}

static double compare(const struct rg_problem *p, struct host *h, char **expected)
{
    double worst = 0;
    struct rg_error e = RG_ERROR_INIT;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->kind != RG_PARAM_ARRAY || q->role == RG_ROLE_IN) continue;
        int64_t n = h->b[i].bytes / q->elem_bytes;
        char *got = rg_xmalloc((size_t)h->b[i].bytes);
        if (h->d->from_device(h->d->self, got, h->b[i].addr, (size_t)h->b[i].bytes, &e)) die("download", &e);
        double mean = 0;
#define AT(buf, k) (q->elem == RG_F32 ? (double)((float *)(void *)(buf))[k] : q->elem == RG_F64 ? ((double *)(void *)(buf))[k] : (double)((int32_t *)(void *)(buf))[k])
        for (int64_t k = 0; k < n; k++) mean += fabs(AT(expected[i], k)) / (double)n;
        for (int64_t k = 0; k < n; k++) {
            double r = AT(expected[i], k), v = AT(got, k), d = fabs(v - r) / (fabs(r) + mean);
            if (!(d <= worst)) worst = isnan(d) ? (v == r ? worst : 1e300) : d;
        }
        free(got);
    }
    return worst;
}

static void one(const struct options *o, struct rg_compiler *compiler, struct rg_device *d, struct rg_problem *p, const double *scalars,
                const char *path, double tolerance, char ***inputs, char **expected, struct result *r)
{
    struct rg_error e = RG_ERROR_INIT;
    char *text;
    size_t len;
    if (rg_file_read(path, 1 << 20, &text, &len, &e)) die(path, &e);
    struct rg_buf plan = RG_BUF_INIT;
    for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        int n = (int)strcspn(line, "\n");
        if (!strncmp(line, "// plan:", 8)) rg_buf_printf(&plan, "%.*s\n", n - 8, line + 8);
        if (!strncmp(line, "// desc:", 8)) snprintf(r->desc, sizeof r->desc, "%.*s", n - 9, line + 9);
    }
    struct rg_plan *q = NULL;
    struct rg_arena arena = RG_ARENA_INIT;
    struct rg_compiled c = {0};
    r->ok = false;
    if (rg_plan_parse(plan.data, &q, &e) || rg__compile(compiler, &arena, text, d->facts.arch, 0, q->kernels, q->n_kernels, &c, &e)) {
        rg_error_format(&e, r->note, sizeof r->note);
        goto out;
    }
    if (c.outcome != RG_OUTCOME_OK) {
        snprintf(r->note, sizeof r->note, "%s: %.200s", rg_outcome_word(c.outcome), c.message);
        goto out;
    }
    struct rg_kernel_sig *sigs = rg_arena_alloc(&arena, sizeof *sigs * (size_t)c.n_kernels);
    const char **lowered = rg_arena_alloc(&arena, sizeof *lowered * (size_t)c.n_kernels);
    struct rg_kernel_attributes *attributes = rg_arena_alloc(&arena, sizeof *attributes * (size_t)c.n_kernels);
    for (int i = 0; i < c.n_kernels; i++) {
        lowered[i] = c.kernels[i].lowered;
        attributes[i] = c.kernels[i].attributes;
        if (rg_kernel_sig_parse(&arena, c.kernels[i].name, lowered[i], &sigs[i], &e)) die(path, &e);
    }
    if (rg_plan_check(q, p, sigs, &e)) {
        rg_error_format(&e, r->note, sizeof r->note);
        goto out;
    }
    struct rg_blob blob = {.ptx = c.ptx, .ptx_len = c.ptx_len, .n_kernels = c.n_kernels, .lowered = lowered, .attributes = attributes};
    struct host h = {.d = d, .p = p, .sigs = sigs, .scalars = scalars};
    if (d->load(d->self, &blob, &h.module, &h.fault, &e)) {
        rg_error_format(&e, r->note, sizeof r->note);
        goto out;
    }
    struct rg_plan_ops ops = {&h, on_scratch, on_launch, on_fill, on_copy, on_symbol, on_read};
    for (int pass = o->verify ? 1 : 0; pass >= 0; pass--) {
        d->check(d->self, pass && o->check ? 1e10 : 0);
        upload(&h, p, &p->sizes[pass], inputs[pass]);
        double us = 0, t0 = rg_now();
        d->estimate_mode(d->self, pass == 0);
        if (pass) d->budget(d->self, 2e10);
        else d->mark(d->self, 0, &e);
        enum rg_status s = rg_plan_run(q, p, &p->sizes[pass], sigs, &ops, 0, &e);
        if (!pass) {
            d->mark(d->self, 1, &e);
            d->elapsed(d->self, 0, 1, &us, &h.fault, &e);
            r->estimate = us;
            r->seconds = rg_now() - t0;
        } else if (!s) {
            r->full_seconds = rg_now() - t0;
            r->error = compare(p, &h, expected);
            r->verified = r->error <= tolerance;
        }
        drop(&h);
        if (s) {
            rg_error_format(&e, r->note, sizeof r->note);
            break;
        }
        r->ok = pass == 0;
    }
    if (r->ok) {
        struct rg_counter list[RG_MAX_COUNTERS];
        int n = RG_MAX_COUNTERS;
        enum rg_limiter limiter = RG_LIMIT_UNKNOWN;
        d->counters(d->self, list, &n, &limiter);
        snprintf(r->limiter, sizeof r->limiter, "%s", rg_limiter_word(limiter));
        if (o->counters) {
            struct rg_buf b = RG_BUF_INIT;
            for (int i = 0; i < n; i++) rg_buf_printf(&b, " %s=%.4g", list[i].name, list[i].value);
            printf("      %s\n", b.data);
            rg_buf_release(&b);
        }
    }
    d->unload(d->self, h.module);
out:
    rg__compiled_release(&c);
    rg_plan_free(q);
    rg_arena_release(&arena);
    rg_buf_release(&plan);
    free(text);
}

/* ---- statistics ---- */

static void ranks(const double *v, int n, double *out)
{
    for (int i = 0; i < n; i++) {
        double less = 0, same = 0;
        for (int k = 0; k < n; k++) less += v[k] < v[i], same += v[k] == v[i];
        out[i] = less + (same + 1) / 2;
    }
}

struct summary { double spearman, pairs, pairs_all, regret, within15, within2, n; bool top3; double log_bias, log_spread; };

static struct summary summarise(const struct result *r, int n)
{
    struct summary s = {0};
    double m[MAX_VARIANTS], e[MAX_VARIANTS], a[MAX_VARIANTS], b[MAX_VARIANTS];
    int k = 0;
    for (int i = 0; i < n; i++)
        if (r[i].ok && r[i].measured > 0) m[k] = r[i].measured, e[k++] = r[i].estimate;
    ranks(m, k, a);
    ranks(e, k, b);
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (int i = 0; i < k; i++) sa += a[i], sb += b[i], saa += a[i] * a[i], sbb += b[i] * b[i], sab += a[i] * b[i];
    s.spearman = (k * sab - sa * sb) / sqrt((k * saa - sa * sa) * (k * sbb - sb * sb) + 1e-300);
    int best = 0, first = 0, better = 0;
    for (int i = 0; i < k; i++) {
        for (int j = i + 1; j < k; j++) {
            double q = m[i] / m[j];
            if (q < 1.2 && q > 1 / 1.2) continue;
            s.pairs_all++;
            s.pairs += (m[i] < m[j]) == (e[i] < e[j]);
        }
        if (m[i] < m[best]) best = i;
        if (e[i] < e[first]) first = i;
        double q = e[i] / m[i];
        s.within15 += q < 1.5 && q > 1 / 1.5;
        s.within2 += q < 2 && q > 0.5;
        s.log_bias += log(q) / k;
    }
    for (int i = 0; i < k; i++) better += e[i] < e[best], s.log_spread += fabs(log(e[i] / m[i])) / k;
    s.top3 = better < 3;
    s.regret = k ? m[first] / m[best] : 1;
    s.n = k;
    return s;
}

static int by_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int listing(const char *folder, const char *suffix, char **out, int max)
{
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d)) && n < max;) {
        size_t len = strlen(e->d_name), k = strlen(suffix);
        if (e->d_name[0] != '.' && len > k && !strcmp(e->d_name + len - k, suffix) && (*suffix || !strchr(e->d_name, '.')))
            out[n++] = rg_xstrdup(e->d_name);
    }
    if (d) closedir(d);
    qsort(out, (size_t)n, sizeof *out, by_name);
    return n;
}

int main(int argc, char **argv)
{
    struct options o = {.device = "h200"};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--device") && i + 1 < argc) o.device = argv[++i];
        else if (!strcmp(argv[i], "--only") && i + 1 < argc) o.only = argv[++i];
        else if (!strcmp(argv[i], "--verify")) o.verify = true;
        else if (!strcmp(argv[i], "--check")) o.verify = o.check = true;
        else if (!strcmp(argv[i], "--counters")) o.counters = true;
        else if (!strcmp(argv[i], "--json")) o.json = true;
        else if (argv[i][0] != '-' && !o.folder) o.folder = argv[i];
        else {
            fprintf(stderr, "usage: sim_accuracy FOLDER [--device NAME] [--only PROBLEM[/vNN]] [--verify] [--counters] [--json]\n");
            return 2;
        }
    }
    if (!o.folder) {
        fprintf(stderr, "sim_accuracy: a folder is needed\n");
        return 2;
    }
    struct rg_error e = RG_ERROR_INIT;
    struct rg_compiler compiler;
    struct rg_device d;
    if (rg__compiler_open(&compiler, &e)) die("NVRTC", &e);
    if (rg_device_open_sim(o.device, &d, &e)) die("device", &e);
    char *times_path = rg_xasprintf("%s/%s.json", o.folder, o.device);
    json_error_t je;
    json_t *times = json_load_file(times_path, 0, &je);
    char *problems[64], *variants[MAX_VARIANTS];
    int n_problems = listing(o.folder, "", problems, 64), n_sum = 0, n_ok = 0, n_all = 0;
    double spearmans[64], regrets[64], pairs = 0, pairs_all = 0, within15 = 0, within2 = 0, top3 = 0, slowest = 0, total = 0;
    json_t *doc = json_array();
    for (int i = 0; i < n_problems; i++) {
        char *folder = rg_xasprintf("%s/%s", o.folder, problems[i]), *pj = rg_xasprintf("%s/problem.json", folder);
        size_t plen = strlen(problems[i]);
        if (o.only && (strncmp(o.only, problems[i], plen) || (o.only[plen] && o.only[plen] != '/'))) continue;
        json_t *pr = json_load_file(pj, 0, &je);
        if (!pr) continue;
        double scalars[64] = {0}, tolerance = json_number_value(json_object_get(pr, "tolerance"));
        struct rg_problem *p = problem_of(pr, scalars);
        char *small[64] = {0}, *large[64] = {0}, *expected[64] = {0}, **inputs[2] = {large, small};
        void *lib = NULL;
        if (o.verify) {
            reference_fn fn = NULL;
            char *abs = realpath(folder, NULL);
            lib = reference(abs, p, &fn);
            free(abs);
            struct host h = {.d = &d};
            upload(&h, p, &p->sizes[1], small);
            void *args[64];
            int64_t ints[64];
            for (int k = 0; k < p->n_params; k++) {
                args[k] = &ints[k];
                if (p->params[k].kind == RG_PARAM_ARRAY) {
                    args[k] = expected[k] = rg_xmalloc((size_t)h.b[k].bytes);
                    memcpy(expected[k], small[k], (size_t)h.b[k].bytes);
                } else store(p->params[k].elem, (char *)&ints[k], scalars[k], 0, true);
            }
            for (int k = 0; k < p->n_size_params; k++) ints[p->size_params[k]] = p->sizes[1].values[k];
            drop(&h);
            if (fn) fn(args);
        }
        int n = listing(folder, ".cu", variants, MAX_VARIANTS);
        struct result results[MAX_VARIANTS];
        memset(results, 0, sizeof results);
        json_t *known = json_object_get(json_object_get(times, "problems"), problems[i]);
        int kept = 0;
        for (int k = 0; k < n; k++) {
            struct result *r = &results[kept];
            char *path = rg_xasprintf("%s/%s", folder, variants[k]);
            snprintf(r->name, sizeof r->name, "%.*s", (int)strcspn(variants[k], "."), variants[k]);
            if (o.only && o.only[plen] == '/' && strcmp(o.only + plen + 1, r->name)) continue;
            kept++;
            json_t *t = json_object_get(json_object_get(known, "variants"), r->name);
            r->measured = json_number_value(json_object_get(t, "hot_us"));
            one(&o, &compiler, &d, p, scalars, path, tolerance, inputs, expected, r);
            free(path);
            n_all++;
            n_ok += r->ok && (!o.verify || r->verified);
            total += r->seconds;
            if (r->seconds > slowest) slowest = r->seconds;
            if (o.json) {
                json_array_append_new(doc, json_pack("{s:s,s:s,s:b,s:f,s:f,s:s,s:s}", "problem", problems[i], "variant", r->name, "ok",
                                                     r->ok && (!o.verify || r->verified), "estimate_us", r->estimate, "measured_us",
                                                     r->measured, "limiter", r->limiter, "note", r->note));
                continue;
            }
            printf("%-13s %s %9.2f us estimated %9.2f measured  %5.2fx  %-9s %4.0f ms", problems[i], r->name, r->estimate, r->measured,
                   r->measured > 0 ? r->estimate / r->measured : 0, r->limiter, r->seconds * 1e3);
            if (o.verify) printf("  in full %.1f ms", r->full_seconds * 1e3);
            if (o.verify) printf("  %s %.2g", r->verified ? "ok" : "WRONG", r->error);
            printf("  %s%s\n", r->desc, r->note[0] ? "  !! " : "");
            if (r->note[0]) printf("      %s\n", r->note);
            fflush(stdout);
        }
        struct summary s = summarise(results, kept);
        if (s.n > 2 && !o.json) {
            printf("%-13s == spearman %.3f  pairs %.0f/%.0f  best in top 3 %s  regret %.2f  within 1.5x %.0f/%.0f  bias %.2f spread %.2f\n\n", problems[i],
                   s.spearman, s.pairs, s.pairs_all, s.top3 ? "yes" : "NO", s.regret, s.within15, s.n, exp(s.log_bias), exp(s.log_spread));
            spearmans[n_sum] = s.spearman;
            regrets[n_sum++] = s.regret;
            pairs += s.pairs;
            pairs_all += s.pairs_all;
            within15 += s.within15;
            within2 += s.within2;
            top3 += s.top3;
        }
        for (int k = 0; k < n; k++) free(variants[k]);
        for (int k = 0; k < 64; k++) free(small[k]), free(large[k]), free(expected[k]);
        if (lib) dlclose(lib);
        rg_problem_free(p);
        json_decref(pr);
        free(folder);
        free(pj);
    }
    if (o.json) json_dumpf(doc, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    else if (n_sum) {
        qsort(spearmans, (size_t)n_sum, sizeof *spearmans, by_double);
        qsort(regrets, (size_t)n_sum, sizeof *regrets, by_double);
        printf("all: %d of %d variants run; spearman median %.3f worst %.3f; pairs %.1f %%; best in top 3 %.0f of %d; regret worst %.2f; "
               "within 1.5x %.0f, within 2x %.0f of %d; estimates took %.2f s, slowest %.0f ms\n", n_ok, n_all, spearmans[n_sum / 2],
               spearmans[0], 100 * pairs / (pairs_all > 0 ? pairs_all : 1), top3, n_sum, regrets[n_sum - 1], within15, within2, n_all, total,
               slowest * 1e3);
    }
    for (int i = 0; i < n_problems; i++) free(problems[i]);
    json_decref(doc);
    json_decref(times);
    free(times_path);
    rg__compiler_close(&compiler);
    d.free(d.self);
    return n_ok == n_all ? 0 : 1;
}
