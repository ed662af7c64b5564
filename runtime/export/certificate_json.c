/* Certificates as JSON: tables of their members, and functions for what is none. */
#include "base/json_members.h"
#include <math.h>
#include <rg/certificate.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "regraph-certificate/1"
enum { MOST_ITEMS = 4096, MOST_BYTES = 256 << 20 };

#define MEMBER(of, key_, type_, field)                                                                                 \
    .key = key_, .type = RG_MEMBER_##type_, .at = offsetof(struct of, field), .size = sizeof(((struct of *)0)->field)
#define LIST(path, field, table)                                                                                       \
    {                                                                                                                  \
        .key = path, .type = RG_MEMBER_ITEMS, .how = RG_MEMBER_MAY_LACK, .at = offsetof(struct rg_certificate, field), \
        .size = sizeof *((struct rg_certificate *)0)->field, .count = offsetof(struct rg_certificate, n_##field),      \
        .most = MOST_ITEMS, .of = table                                                                                \
    }

static const struct rg_member case_members[] = {
    {MEMBER(rg_case_evidence, "size", SMALL, size), .most = 1 << 20},
    {MEMBER(rg_case_evidence, "set", SMALL, seed), .most = 1 << 20},
    {MEMBER(rg_case_evidence, "timed", BOOL, timed), .how = RG_MEMBER_MAY_LACK},
    {MEMBER(rg_case_evidence, "again", BOOL, again), .how = RG_MEMBER_MAY_LACK},
    {MEMBER(rg_case_evidence, "inputs", HEX, inputs), .how = RG_MEMBER_OR_NULL},
    {MEMBER(rg_case_evidence, "reference", HEX, reference), .how = RG_MEMBER_OR_NULL},
    {MEMBER(rg_case_evidence, "outputs", HEX, outputs), .how = RG_MEMBER_OR_NULL},
    {.key = NULL},
};

static const struct rg_member tolerance_members[] = {
    {MEMBER(rg_certified_output, "output", TEXT, name)},
    {MEMBER(rg_certified_output, "rtol", REAL, rtol), .how = RG_MEMBER_MAY_LACK},
    {MEMBER(rg_certified_output, "atol", REAL, atol), .how = RG_MEMBER_MAY_LACK},
    {MEMBER(rg_certified_output, "mismatch_share", REAL, mismatch_share), .how = RG_MEMBER_MAY_LACK},
    {.key = NULL},
};

/* In the order of the file. A text of type NEEDED must be there. */
static const struct rg_member members[] = {
#define M(path, type, field) {M_##type(path, field)},
#define M_NEEDED(path, field) MEMBER(rg_certificate, path, TEXT, field)
#define M_TEXT(path, field) MEMBER(rg_certificate, path, TEXT, field), .how = RG_MEMBER_OR_NULL
#define M_REAL(path, field) MEMBER(rg_certificate, path, REAL, field), .how = RG_MEMBER_MAY_LACK
#define M_INT(path, field) MEMBER(rg_certificate, path, INT, field), .how = RG_MEMBER_MAY_LACK, .most = INT64_MAX
#define M_BOOL(path, field) MEMBER(rg_certificate, path, BOOL, field), .how = RG_MEMBER_MAY_LACK
    M("regraph", NEEDED, regraph) M("created", TEXT, created) M("run", TEXT, run) M("function", NEEDED, function) M(
        "prototype", TEXT, prototype) M("estimated", BOOL, estimated) M("device.name", NEEDED, device)
        M("device.arch", NEEDED, arch) M("device.multiprocessors", INT, sms) M("device.clock_mhz", REAL, clock_mhz) M(
            "device.driver", TEXT, driver) M("device.nvrtc", TEXT, nvrtc) M("device.sandbox", TEXT, sandbox)
            M("host.cpu", TEXT, host_cpu) M("host.cc", TEXT, host_cc) M("time.kernel_ms", REAL, kernel_ms) M(
                "time.kernel_noise_ms", REAL, kernel_noise_ms) M("time.total_ms", REAL,
                                                                 total_ms) M("time.naive_ms", REAL, naive_ms)
                M("time.sol_ms", REAL, sol_ms) M("time.cache", TEXT, cache) M("time.sm_mhz", REAL, sm_mhz) M(
                    "time.memory_mhz", REAL, memory_mhz) M("time.limiter", TEXT,
                                                           limiter) M("sequential.ms", REAL, sequential_ms)
                    M("sequential.how", TEXT, sequential_how) M("openmp.threads", INT, threads)
                        M("openmp.ms", REAL, threads_ms) M("errors.max", REAL, max_error)
                            M("errors.rms", REAL, rms_error) M("errors.reference", TEXT, oracle)
                                M("errors.reference_why", TEXT, oracle_why) M("marks.varies", BOOL, varies) M(
                                    "marks.suspect", BOOL, suspect) M("marks.trivial_accepted", BOOL, trivial)
                                    M("marks.races_not_checked", BOOL, unchecked) M("search.seed", INT, seed) M(
                                        "search.evaluations",
                                        INT, evaluations) M("search.policy", TEXT, policy)
                                        M("search.objective", TEXT, objective) M("search.graph", TEXT, graph_file) M(
                                            "search.graph_sha256", TEXT, graph_sha256) M("limits.regs", INT, limit_regs)
                                            M("limits.shared", INT, limit_shared) M("limits.memory", INT, limit_memory)
                                                M("limits.arch", TEXT, limit_arch) M("source.file", TEXT, c_file)
                                                    M("source.sha256", TEXT, c_sha256)
                                                        M("source.reference_sha256", TEXT, reference_sha256)
                                                            M("kernel.coder", TEXT, coder)
                                                                M("kernel.sha256", NEEDED, kernel_sha256)
                                                                    M("kernel.ptx_sha256", TEXT, ptx_sha256)
                                                                        M("kernel.plan", NEEDED, plan)
                                                                            M("kernel.cuda", NEEDED, cuda)
                                                                                M("problem_hash", NEEDED, problem_hash)
#undef M
                                                                                    {.key = NULL},
};

/* Behind the counters. */
static const struct rg_member tolerances[] = {LIST("errors.tolerances", tolerances, tolerance_members), {.key = NULL}};
static const struct rg_member steps[] = {LIST("kernel.steps", chain, rg_link_members), {.key = NULL}};
static const struct rg_member cases[] = {LIST("cases", cases, case_members), {.key = NULL}};

struct rg_certificate *rg_certificate_new(void)
{
    struct rg_certificate *c = rg_xcalloc(1, sizeof *c);
    for (const struct rg_member *m = members; m->key; m++) {
        void *p = (char *)c + m->at;
        if (m->type == RG_MEMBER_REAL)
            *(double *)p = NAN;
        else if (m->type == RG_MEMBER_TEXT)
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

static json_t *ints_json(const struct rg_named_int *v, int n)
{
    json_t *o = json_object();
    for (int i = 0; i < n; i++) json_object_set_new(o, v[i].name, json_integer(v[i].value));
    return o;
}

char *rg_certificate_print(const struct rg_certificate *c)
{
    json_t *o = json_object(), *files = json_object();
    json_object_set_new(o, "schema", json_string(SCHEMA));
    rg_members_put(o, members, c);
    for (int i = 0; i < c->n_files; i++) json_object_set_new(files, c->files[i].name, rg_json_text(c->files[i].sha256));
    json_object_set_new(json_object_get(o, "time"), "sizes", ints_json(c->sizes, c->n_sizes));
    json_object_set_new(o, "counters", rg_counters_json(c->counters, c->n_counters));
    rg_members_put(o, tolerances, c);
    rg_members_put(o, steps, c);
    json_object_set_new(json_object_get(o, "kernel"), "tunables", ints_json(c->tunables, c->n_tunables));
    if (c->n_specialized)
        json_object_set_new(json_object_get(o, "kernel"), "specialized", ints_json(c->specialized, c->n_specialized));
    rg_members_put(o, cases, c);
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

static enum rg_status read_table(const struct reader *r, const json_t *o, const struct rg_member *table)
{
    struct rg_member_fault fault;
    return rg_members_read(o, table, r->c, &r->c->arena, &fault) ? RG_OK : refuse(r, fault.key, fault.what);
}

/* An object that may be missing; its length. */
static enum rg_status object_at(const struct reader *r, const json_t *o, const char *path, json_t **out, int *n)
{
    *out = at_path(o, path);
    *n = 0;
    if (!*out || json_is_null(*out)) return RG_OK;
    if (!json_is_object(*out)) return refuse(r, path, "is no object");
    size_t size = json_object_size(*out);
    if (size > MOST_ITEMS) return refuse(r, path, "is too long");
    *n = (int)size;
    return RG_OK;
}

static enum rg_status read_ints(const struct reader *r, const json_t *o, const char *path, struct rg_named_int **out,
                                int *n)
{
    json_t *v, *item;
    const char *key;
    int i = 0, count;
    enum rg_status s = object_at(r, o, path, &v, &count);
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

static enum rg_status read_counters(const struct reader *r, const json_t *o)
{
    const json_t *v = json_object_get(o, "counters");
    bool ok = !v || json_is_null(v) || rg_counters_read(v, r->c->counters, &r->c->n_counters);
    return ok ? RG_OK : refuse(r, "counters", "holds what is no counter");
}

static enum rg_status read_files(const struct reader *r, const json_t *o)
{
    json_t *v, *item;
    const char *key;
    int n;
    enum rg_status s = object_at(r, o, "files", &v, &n);
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
    if (s == RG_OK) s = read_table(&r, o, members);
    if (s == RG_OK) s = read_ints(&r, o, "time.sizes", &r.c->sizes, &r.c->n_sizes);
    if (s == RG_OK) s = read_ints(&r, o, "kernel.tunables", &r.c->tunables, &r.c->n_tunables);
    if (s == RG_OK && json_object_get(json_object_get(o, "kernel"), "specialized"))
        s = read_ints(&r, o, "kernel.specialized", &r.c->specialized, &r.c->n_specialized);
    if (s == RG_OK) s = read_table(&r, o, steps);
    if (s == RG_OK) s = read_table(&r, o, tolerances);
    if (s == RG_OK) s = read_counters(&r, o);
    if (s == RG_OK) s = read_table(&r, o, cases);
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
