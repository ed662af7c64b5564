/* Certificates as JSON: a table for what is a plain member, a function for each list. */
#include "base/json_util.h"
#include <math.h>
#include <rg/certificate.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "regraph-certificate/1"
enum { MOST_ITEMS = 4096, MOST_BYTES = 256 << 20 };

enum type { TEXT, NEEDED /* a text that must be there */, REAL, INT, BOOL };

/* In the order of the file; a dot is an object's member. */
static const struct member {
    const char *path;
    enum type type;
    size_t at;
} members[] = {
#define M(path, type, field)                                                                                           \
    {                                                                                                                  \
        path, type, offsetof(struct rg_certificate, field)                                                             \
    }
    M("regraph", NEEDED, regraph),
    M("created", TEXT, created),
    M("run", TEXT, run),
    M("function", NEEDED, function),
    M("prototype", TEXT, prototype),
    M("estimated", BOOL, estimated),
    M("device.name", NEEDED, device),
    M("device.arch", NEEDED, arch),
    M("device.multiprocessors", INT, sms),
    M("device.clock_mhz", REAL, clock_mhz),
    M("device.driver", TEXT, driver),
    M("device.nvrtc", TEXT, nvrtc),
    M("device.sandbox", TEXT, sandbox),
    M("host.cpu", TEXT, host_cpu),
    M("host.cc", TEXT, host_cc),
    M("time.kernel_ms", REAL, kernel_ms),
    M("time.kernel_noise_ms", REAL, kernel_noise_ms),
    M("time.total_ms", REAL, total_ms),
    M("time.naive_ms", REAL, naive_ms),
    M("time.sol_ms", REAL, sol_ms),
    M("time.cache", TEXT, cache),
    M("time.sm_mhz", REAL, sm_mhz),
    M("time.memory_mhz", REAL, memory_mhz),
    M("time.limiter", TEXT, limiter),
    M("sequential.ms", REAL, sequential_ms),
    M("sequential.how", TEXT, sequential_how),
    M("openmp.threads", INT, threads),
    M("openmp.ms", REAL, threads_ms),
    M("errors.max", REAL, max_error),
    M("errors.rms", REAL, rms_error),
    M("errors.reference", TEXT, oracle),
    M("errors.reference_why", TEXT, oracle_why),
    M("marks.varies", BOOL, varies),
    M("marks.suspect", BOOL, suspect),
    M("marks.trivial_accepted", BOOL, trivial),
    M("marks.races_not_checked", BOOL, unchecked),
    M("search.seed", INT, seed),
    M("search.evaluations", INT, evaluations),
    M("search.policy", TEXT, policy),
    M("search.objective", TEXT, objective),
    M("search.graph", TEXT, graph_file),
    M("search.graph_sha256", TEXT, graph_sha256),
    M("limits.regs", INT, limit_regs),
    M("limits.shared", INT, limit_shared),
    M("limits.memory", INT, limit_memory),
    M("limits.arch", TEXT, limit_arch),
    M("source.file", TEXT, c_file),
    M("source.sha256", TEXT, c_sha256),
    M("source.reference_sha256", TEXT, reference_sha256),
    M("kernel.coder", TEXT, coder),
    M("kernel.sha256", NEEDED, kernel_sha256),
    M("kernel.ptx_sha256", TEXT, ptx_sha256),
    M("kernel.plan", NEEDED, plan),
    M("kernel.cuda", NEEDED, cuda),
    M("problem_hash", NEEDED, problem_hash),
#undef M
};
enum { N_MEMBERS = (int)(sizeof members / sizeof members[0]) };

struct rg_certificate *rg_certificate_new(void)
{
    struct rg_certificate *c = rg_xcalloc(1, sizeof *c);
    for (int i = 0; i < N_MEMBERS; i++) {
        void *p = (char *)c + members[i].at;
        if (members[i].type == REAL)
            *(double *)p = NAN;
        else if (members[i].type == TEXT || members[i].type == NEEDED)
            *(const char **)p = "";
    }
    c->problem_json = "";
    return c;
}

void rg_certificate_free(struct rg_certificate *c)
{
    if (!c) return;
    rg_arena_release(&c->arena);
    free(c);
}

void rg_certificate_kernel_sha256(const char *cuda, const char *plan, char out[65])
{
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, cuda, strlen(cuda) + 1);
    rg_sha256_add(h, plan, strlen(plan) + 1);
    rg_sha256_end(h, out);
}

/* --- writing --- */

static json_t *text_json(const char *s)
{
    return s && *s ? rg_json_text(s) : json_null();
}

static void print_member(json_t *o, const struct rg_certificate *c, const struct member *m)
{
    const void *p = (const char *)c + m->at;
    const char *dot = strchr(m->path, '.'), *key = dot ? dot + 1 : m->path;
    if (dot) {
        char parent[64];
        snprintf(parent, sizeof parent, "%.*s", (int)(dot - m->path), m->path);
        json_t *in = json_object_get(o, parent);
        if (!in) json_object_set_new(o, parent, in = json_object());
        o = in;
    }
    json_t *v = m->type == REAL     ? rg_json_number(*(const double *)p)
                : m->type == INT    ? json_integer(*(const int64_t *)p)
                : m->type == BOOL   ? json_boolean(*(const bool *)p)
                : m->type == NEEDED ? rg_json_text(*(const char *const *)p)
                                    : text_json(*(const char *const *)p);
    json_object_set_new(o, key, v);
}

static json_t *ints_json(const struct rg_named_int *v, int n)
{
    json_t *o = json_object();
    for (int i = 0; i < n; i++) json_object_set_new(o, v[i].name, json_integer(v[i].value));
    return o;
}

static json_t *cases_json(const struct rg_certificate *c)
{
    json_t *list = json_array();
    for (int i = 0; i < c->n_cases; i++) {
        const struct rg_case_evidence *e = &c->cases[i];
        json_array_append_new(list, json_pack("{s:i, s:i, s:b, s:b, s:o, s:o, s:o}", "size", e->size, "set", e->seed,
                                              "timed", e->timed, "again", e->again, "inputs", text_json(e->inputs),
                                              "reference", text_json(e->reference), "outputs", text_json(e->outputs)));
    }
    return list;
}

static json_t *tolerances_json(const struct rg_certificate *c)
{
    json_t *list = json_array();
    for (int i = 0; i < c->n_tolerances; i++) {
        const struct rg_certified_output *t = &c->tolerances[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "output", rg_json_text(t->name), "rtol",
                                              rg_json_number(t->rtol), "atol", rg_json_number(t->atol),
                                              "mismatch_share", rg_json_number(t->mismatch_share)));
    }
    return list;
}

static json_t *chain_json(const struct rg_certificate *c)
{
    json_t *list = json_array();
    for (int i = 0; i < c->n_chain; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "step", rg_json_text(c->chain[i].step), "site",
                                              rg_json_text(c->chain[i].site)));
    return list;
}

char *rg_certificate_print(const struct rg_certificate *c)
{
    json_t *o = json_object(), *files = json_object(), *counters = json_object();
    json_object_set_new(o, "schema", json_string(SCHEMA));
    for (int i = 0; i < N_MEMBERS; i++) print_member(o, c, &members[i]);
    for (int i = 0; i < c->n_counters; i++)
        json_object_set_new(counters, c->counters[i].name, rg_json_number(c->counters[i].value));
    for (int i = 0; i < c->n_files; i++) json_object_set_new(files, c->files[i].name, rg_json_text(c->files[i].sha256));
    json_object_set_new(json_object_get(o, "time"), "sizes", ints_json(c->sizes, c->n_sizes));
    json_object_set_new(o, "counters", counters);
    json_object_set_new(json_object_get(o, "errors"), "tolerances", tolerances_json(c));
    json_object_set_new(json_object_get(o, "kernel"), "steps", chain_json(c));
    json_object_set_new(json_object_get(o, "kernel"), "tunables", ints_json(c->tunables, c->n_tunables));
    if (c->n_specialized)
        json_object_set_new(json_object_get(o, "kernel"), "specialized", ints_json(c->specialized, c->n_specialized));
    json_object_set_new(o, "cases", cases_json(c));
    json_object_set_new(o, "files", files);
    char *text = rg_json_pretty(o), *end = strrchr(text, '}');
    json_decref(o);
    /* as it is, on a line of its own: its reals have more digits than people want to see above */
    while (end > text && end[-1] == '\n') end--;
    char *all = rg_xasprintf("%.*s,\n  \"problem\": %s\n}\n", (int)(end - text), text, c->problem_json);
    free(text);
    return all;
}

/* --- reading --- */

struct reader {
    struct rg_certificate *c;
    const char *name;
    struct rg_error *err;
};

static enum rg_status refuse(const struct reader *r, const char *path, const char *what)
{
    enum rg_status s = rg_error_set(r->err, RG_INPUT, "not a certificate that can be read: \"%s\" %s", path, what);
    if (r->err && !r->err->file[0]) snprintf(r->err->file, sizeof r->err->file, "%s", r->name);
    return s;
}

static json_t *at_path(const json_t *o, const char *path)
{
    const char *dot = strchr(path, '.');
    if (!dot) return json_object_get(o, path);
    char parent[64];
    snprintf(parent, sizeof parent, "%.*s", (int)(dot - path), path);
    return json_object_get(json_object_get(o, parent), dot + 1);
}

static enum rg_status read_member(const struct reader *r, const json_t *o, const struct member *m)
{
    void *p = (char *)r->c + m->at;
    const json_t *v = at_path(o, m->path);
    bool none = !v || json_is_null(v);
    switch (m->type) {
    case NEEDED:
    case TEXT:
        if (none && m->type == TEXT) return RG_OK;
        if (!json_is_string(v)) return refuse(r, m->path, none ? "is missing" : "is no string");
        if (strlen(json_string_value(v)) != json_string_length(v)) return refuse(r, m->path, "holds a zero byte");
        *(const char **)p = rg_arena_strdup(&r->c->arena, json_string_value(v));
        return RG_OK;
    case REAL:
        if (none) return RG_OK;
        if (!json_is_number(v) || !isfinite(json_number_value(v))) return refuse(r, m->path, "is no number");
        *(double *)p = json_number_value(v);
        return RG_OK;
    case INT:
        if (none) return RG_OK;
        if (!json_is_integer(v) || json_integer_value(v) < 0) return refuse(r, m->path, "is no whole number");
        *(int64_t *)p = json_integer_value(v);
        return RG_OK;
    case BOOL:
        if (none) return RG_OK;
        if (!json_is_boolean(v)) return refuse(r, m->path, "is neither true nor false");
        *(bool *)p = json_is_true(v);
        return RG_OK;
    }
    return RG_OK;
}

/* A list that may be missing; its length. */
static enum rg_status list_at(const struct reader *r, const json_t *o, const char *path, bool object, json_t **out,
                              int *n)
{
    *out = at_path(o, path);
    *n = 0;
    if (!*out || json_is_null(*out)) return RG_OK;
    if (object ? !json_is_object(*out) : !json_is_array(*out))
        return refuse(r, path, object ? "is no object" : "is no list");
    size_t size = object ? json_object_size(*out) : json_array_size(*out);
    if (size > MOST_ITEMS) return refuse(r, path, "is too long");
    *n = (int)size;
    return RG_OK;
}

static const char *string_at(const struct reader *r, const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? rg_arena_strdup(&r->c->arena, s) : NULL;
}

static enum rg_status read_ints(const struct reader *r, const json_t *o, const char *path, struct rg_named_int **out,
                                int *n)
{
    json_t *v, *item;
    const char *key;
    int i = 0, count;
    enum rg_status s = list_at(r, o, path, true, &v, &count);
    if (s != RG_OK) return s;
    *out = rg_arena_alloc(&r->c->arena, (size_t)(count + 1) * sizeof **out);
    json_object_foreach(v, key, item)
    {
        if (!json_is_integer(item)) return refuse(r, path, "holds something else than whole numbers");
        (*out)[i++] = (struct rg_named_int){rg_arena_strdup(&r->c->arena, key), json_integer_value(item)};
    }
    *n = count;
    return RG_OK;
}

static bool read_hex(const json_t *o, const char *key, size_t digits, char *out)
{
    const json_t *v = json_object_get(o, key);
    out[0] = 0;
    if (!v || json_is_null(v)) return true;
    const char *s = json_string_value(v);
    if (!s || strlen(s) != digits || strspn(s, "0123456789abcdef") != digits) return false;
    memcpy(out, s, digits + 1);
    return true;
}

static enum rg_status read_cases(const struct reader *r, const json_t *o)
{
    json_t *list;
    int n;
    enum rg_status s = list_at(r, o, "cases", false, &list, &n);
    if (s != RG_OK) return s;
    r->c->cases = rg_arena_alloc(&r->c->arena, (size_t)(n + 1) * sizeof *r->c->cases);
    for (int i = 0; i < n; i++) {
        const json_t *v = json_array_get(list, (size_t)i), *size = json_object_get(v, "size"),
                     *set = json_object_get(v, "set");
        struct rg_case_evidence *e = &r->c->cases[i];
        if (!json_is_integer(size) || !json_is_integer(set) || json_integer_value(size) < 0 ||
            json_integer_value(size) > 1 << 20 || json_integer_value(set) < 0 || json_integer_value(set) > 1 << 20 ||
            !read_hex(v, "inputs", 64, e->inputs) || !read_hex(v, "reference", 64, e->reference) ||
            !read_hex(v, "outputs", 16, e->outputs))
            return refuse(r, "cases", "holds what is no case");
        e->size = (int)json_integer_value(size);
        e->seed = (int)json_integer_value(set);
        e->timed = json_is_true(json_object_get(v, "timed"));
        e->again = json_is_true(json_object_get(v, "again"));
    }
    r->c->n_cases = n;
    return RG_OK;
}

static enum rg_status read_tolerances(const struct reader *r, const json_t *o)
{
    json_t *list;
    int n;
    enum rg_status s = list_at(r, o, "errors.tolerances", false, &list, &n);
    if (s != RG_OK) return s;
    r->c->tolerances = rg_arena_alloc(&r->c->arena, (size_t)(n + 1) * sizeof *r->c->tolerances);
    for (int i = 0; i < n; i++) {
        const json_t *v = json_array_get(list, (size_t)i);
        struct rg_certified_output *t = &r->c->tolerances[i];
        t->name = string_at(r, v, "output");
        t->rtol = json_number_value(json_object_get(v, "rtol"));
        t->atol = json_number_value(json_object_get(v, "atol"));
        t->mismatch_share = json_number_value(json_object_get(v, "mismatch_share"));
        if (!t->name) return refuse(r, "errors.tolerances", "holds what names no output");
    }
    r->c->n_tolerances = n;
    return RG_OK;
}

static enum rg_status read_chain(const struct reader *r, const json_t *o)
{
    json_t *list;
    int n;
    enum rg_status s = list_at(r, o, "kernel.steps", false, &list, &n);
    if (s != RG_OK) return s;
    r->c->chain = rg_arena_alloc(&r->c->arena, (size_t)(n + 1) * sizeof *r->c->chain);
    for (int i = 0; i < n; i++) {
        const json_t *v = json_array_get(list, (size_t)i);
        const char *step = string_at(r, v, "step"), *site = string_at(r, v, "site");
        if (!step || !site) return refuse(r, "kernel.steps", "holds what is no step with its site");
        r->c->chain[i] = (struct rg_link){(char *)step, (char *)site};
    }
    r->c->n_chain = n;
    return RG_OK;
}

static enum rg_status read_counters(const struct reader *r, const json_t *o)
{
    json_t *v, *item;
    const char *key;
    int n;
    enum rg_status s = list_at(r, o, "counters", true, &v, &n);
    if (s != RG_OK) return s;
    json_object_foreach(v, key, item)
    {
        struct rg_counter *k = &r->c->counters[r->c->n_counters];
        if (r->c->n_counters == RG_MAX_COUNTERS || strlen(key) >= sizeof k->name)
            return refuse(r, "counters", "holds what is no counter");
        snprintf(k->name, sizeof k->name, "%s", key);
        k->value = json_is_number(item) ? json_number_value(item) : NAN;
        r->c->n_counters++;
    }
    return RG_OK;
}

static enum rg_status read_files(const struct reader *r, const json_t *o)
{
    json_t *v, *item;
    const char *key;
    int n;
    enum rg_status s = list_at(r, o, "files", true, &v, &n);
    if (s != RG_OK) return s;
    r->c->files = rg_arena_alloc(&r->c->arena, (size_t)(n + 1) * sizeof *r->c->files);
    json_object_foreach(v, key, item)
    {
        char sha[65];
        /* beside the certificate and nowhere else: a foreign certificate may not have us read what it likes */
        if (strchr(key, '/') || !*key || !strcmp(key, "..") || !strcmp(key, "."))
            return refuse(r, "files", "names what is no file beside it");
        if (!read_hex(v, key, 64, sha) || !sha[0]) return refuse(r, "files", "holds what is no SHA-256");
        r->c->files[r->c->n_files++] =
            (struct rg_certified_file){rg_arena_strdup(&r->c->arena, key), rg_arena_strdup(&r->c->arena, sha)};
    }
    return RG_OK;
}

static enum rg_status read_problem(const struct reader *r, const json_t *o)
{
    const json_t *p = json_object_get(o, "problem");
    if (!json_is_object(p)) return refuse(r, "problem", p ? "is no object" : "is missing");
    char *text = json_dumps(p, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text) return refuse(r, "problem", "cannot be read");
    r->c->problem_json = rg_arena_strdup(&r->c->arena, text);
    free(text);
    return RG_OK;
}

enum rg_status rg_certificate_parse(const char *text, size_t len, const char *name, struct rg_certificate **out,
                                    struct rg_error *err)
{
    *out = NULL;
    json_t *o = rg_json_parse(text, len, name, err);
    if (!o) return err && err->status != RG_OK ? err->status : RG_INPUT;
    struct reader r = {rg_certificate_new(), name, err};
    const char *schema = json_string_value(json_object_get(o, "schema"));
    enum rg_status s = RG_OK;
    if (!schema || strcmp(schema, SCHEMA))
        s = rg_error_at(err, RG_INPUT, name, 1, 1, "not a certificate: \"schema\" must be \"" SCHEMA "\"");
    for (int i = 0; i < N_MEMBERS && s == RG_OK; i++) s = read_member(&r, o, &members[i]);
    if (s == RG_OK) s = read_ints(&r, o, "time.sizes", &r.c->sizes, &r.c->n_sizes);
    if (s == RG_OK) s = read_ints(&r, o, "kernel.tunables", &r.c->tunables, &r.c->n_tunables);
    if (s == RG_OK && json_object_get(json_object_get(o, "kernel"), "specialized"))
        s = read_ints(&r, o, "kernel.specialized", &r.c->specialized, &r.c->n_specialized);
    if (s == RG_OK) s = read_chain(&r, o);
    if (s == RG_OK) s = read_tolerances(&r, o);
    if (s == RG_OK) s = read_counters(&r, o);
    if (s == RG_OK) s = read_cases(&r, o);
    if (s == RG_OK) s = read_files(&r, o);
    if (s == RG_OK) s = read_problem(&r, o);
    json_decref(o);
    if (s == RG_OK)
        *out = r.c;
    else
        rg_certificate_free(r.c);
    return s;
}

enum rg_status rg_certificate_load(const char *path, struct rg_certificate **out, struct rg_error *err)
{
    char *text;
    size_t len;
    *out = NULL;
    enum rg_status s = rg_file_read(path, MOST_BYTES, &text, &len, err);
    if (s != RG_OK) return s;
    s = rg_certificate_parse(text, len, path, out, err);
    free(text);
    return s;
}
