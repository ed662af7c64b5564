/* What a run of the user's C touches of its parameters: marks for each element, and the first thing it must not do. */
#include "runtime/reference/hooks.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ = 1, WRITTEN = 2, EXPOSED = 4 /* read before it was written */ };

struct region { /* an array parameter */
    int param;
    const struct rg_param *q;
    const unsigned char *data, *lo, *hi; /* accesses in lo .. hi are meant for it */
    size_t bytes, granule;               /* a mark stands for `granule` bytes */
    _Atomic unsigned char *marks;
    unsigned char *before; /* NULL: poison */
    int n_dims;
    int64_t dims[RG_TOUCH_DIMS];
};

struct rg_watch {
    const struct rg_call *call;
    const char *where;
    void (*report)(const struct rg_violation *);
    int n;
    struct region *regions;
};

/* Of the call in progress. The user's own threads may be several. */
static struct rg_watch *_Atomic current;
static const void *_Atomic last_pc;
static atomic_int hint;

static enum rg_status dims_of(struct region *r, const struct rg_problem *p, const struct rg_sizes *sizes,
                              struct rg_error *err)
{
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, sizes);
    r->n_dims = r->q->n_dims <= RG_TOUCH_DIMS ? r->q->n_dims : 1;
    if (r->n_dims != r->q->n_dims || r->n_dims < 1) {
        r->n_dims = 1;
        r->dims[0] = (int64_t)(r->bytes / (size_t)r->q->elem_bytes);
        return RG_OK;
    }
    for (int d = 0; d < r->n_dims; d++) {
        enum rg_status s = rg_expr_eval(r->q->dims[d], &env.env, &r->dims[d], err);
        if (s != RG_OK) return s;
    }
    return RG_OK;
}

static enum rg_status add_region(struct rg_watch *w, int i, const struct rg_sizes *sizes, struct rg_error *err)
{
    const struct rg_call *c = w->call;
    struct region *r = &w->regions[w->n++];
    const struct rg_guarded *g = &c->buffers[i];
    const unsigned char *data = c->library->place ? c->library->place(i, c->a) : c->a[i];
    *r = (struct region){.param = i, .q = &c->problem->params[i], .data = data, .bytes = g->bytes};
    bool own = data == g->data; /* else a file-scope array of the library */
    r->lo = own ? g->base : data;
    r->hi = own ? (unsigned char *)g->base + g->mapped : data + g->bytes;
    r->granule = r->q->elem == RG_STRUCT ? 1 : (size_t)g->elem_bytes;
    r->marks = calloc(r->bytes / r->granule + 1, sizeof *r->marks);
    if (r->q->role != RG_ROLE_OUT) r->before = malloc(r->bytes + 1);
    if (!r->marks || (r->q->role != RG_ROLE_OUT && !r->before))
        return rg_error_set(err, RG_NOMEM, "no memory for the marks of %s", rg_param_shown(r->q));
    return dims_of(r, c->problem, sizes, err);
}

enum rg_status rg__watch_new(struct rg_watch **out, const struct rg_call *c, const struct rg_sizes *sizes,
                             const char *where, void (*report)(const struct rg_violation *), struct rg_error *err)
{
    struct rg_watch *w = rg_xcalloc(1, sizeof *w);
    *w = (struct rg_watch){.call = c, .where = where, .report = report};
    w->regions = rg_xcalloc((size_t)c->problem->n_params + 1, sizeof *w->regions);
    enum rg_status s = RG_OK;
    for (int i = 0; i < c->problem->n_params && s == RG_OK; i++)
        if (c->problem->params[i].kind == RG_PARAM_ARRAY) s = add_region(w, i, sizes, err);
    *out = w;
    if (s == RG_OK) return RG_OK;
    rg__watch_free(w);
    *out = NULL;
    return s;
}

void rg__watch_free(struct rg_watch *w)
{
    for (int i = 0; w && i < w->n; i++) {
        free((void *)w->regions[i].marks);
        free(w->regions[i].before);
    }
    if (w) free(w->regions);
    free(w);
}

void rg__watch_begin(struct rg_watch *w)
{
    for (int i = 0; w && i < w->n; i++)
        if (w->regions[i].before) memcpy(w->regions[i].before, w->regions[i].data, w->regions[i].bytes);
    last_pc = NULL;
    hint = 0;
    current = w;
}

const void *rg__watch_last_pc(void)
{
    return last_pc;
}

/* ---- what it must not do ---- */

/* A[3][64] for an offset in bytes, also one outside: then the outermost index is. */
static void name_element(const struct region *r, int64_t offset, char *out, size_t size)
{
    int64_t e = offset >= 0 ? offset / r->q->elem_bytes : -((-offset + r->q->elem_bytes - 1) / r->q->elem_bytes),
            index[RG_TOUCH_DIMS];
    for (int d = r->n_dims - 1; d >= 0; d--) {
        int64_t n = r->dims[d] > 0 ? r->dims[d] : 1, rest = d ? (e % n + n) % n : e;
        index[d] = rest;
        e = (e - rest) / n;
    }
    size_t at = (size_t)snprintf(out, size, "%.60s", rg_param_shown(r->q));
    for (int d = 0; d < r->n_dims && at < size; d++)
        at += (size_t)snprintf(out + at, size - at, "[%lld]", (long long)index[d]);
}

/* Does not return. Of several threads the first one speaks. */
static void violation(struct rg_watch *w, const char *file, int line, int column, const char *text)
{
    static atomic_flag spoken = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&spoken)) pause();
    current = NULL;
    struct rg_violation v = {file, line, column, text};
    w->report(&v);
}

static void at_pc(struct rg_watch *w, const void *pc, const char *text)
{
    char file[600] = "";
    int line = 0;
    if (!rg__where(pc, file, sizeof file, &line)) file[0] = 0;
    violation(w, file, line, 0, text);
}

static void outside(struct rg_watch *w, const struct region *r, const unsigned char *at, int kind, const void *pc)
{
    char text[1100], name[200];
    long long n = (long long)(r->bytes / (size_t)r->q->elem_bytes);
    name_element(r,
                 at < r->data               ? at - r->data
                 : at >= r->data + r->bytes ? at - r->data
                                            : (int64_t)r->bytes,
                 name, sizeof name);
    snprintf(
        text, sizeof text,
        "%s touches memory out of bounds at %s: it %s %s, outside its extent of %lld element%s. Check the bounds of "
        "the loop, the extents (`#pragma regraph extent(...)`), the sizes and the values of index inputs (`#pragma "
        "regraph input(...)`). What holds of "
        "all sizes it is made for is said so: `#pragma regraph require(n %% 16 == 0)`, and for a power of two "
        "require(1073741824 %% n == 0)",
        w->call->problem->function, w->where, kind == RG_HOOK_READ ? "reads" : "writes", name, n, n == 1 ? "" : "s");
    at_pc(w, pc, text);
}

static void input_written(struct rg_watch *w, const struct region *r, const unsigned char *at, const void *pc)
{
    char text[700], name[200];
    name_element(r, at - r->data, name, sizeof name);
    snprintf(text, sizeof text,
             "%s writes %s at %s, but %s is taken as an input. If it is meant to be written, say `#pragma regraph "
             "role(%s: inout)`",
             w->call->problem->function, name, w->where, rg_param_shown(r->q), rg_param_shown(r->q));
    at_pc(w, pc, text);
}

static void output_read(struct rg_watch *w, const struct region *r, const unsigned char *at, const void *pc)
{
    char text[700], name[200];
    name_element(r, at - r->data, name, sizeof name);
    snprintf(
        text, sizeof text,
        "%s reads %s at %s before it has written it, but %s is taken as an output, whose old values are undefined. "
        "Write it first, or say `#pragma regraph role(%s: inout)` if the old values matter",
        w->call->problem->function, name, w->where, rg_param_shown(r->q), rg_param_shown(r->q));
    at_pc(w, pc, text);
}

/* Does the access stay inside one scalar? A copy of a whole structure may read members that nobody has set. */
static bool of_one_scalar(const struct rg_watch *w, const struct region *r, size_t offset, size_t n)
{
    if (r->q->elem != RG_STRUCT) return n <= (size_t)r->q->elem_bytes;
    const struct rg_struct *s = &w->call->problem->structs[r->q->struct_index];
    int64_t in = (int64_t)(offset % (size_t)r->q->elem_bytes);
    for (int f = 0; f < s->n_fields; f++) {
        int64_t from = s->fields[f].offset, size = (int64_t)rg_scalar_bytes(s->fields[f].type) * s->fields[f].count;
        if (in >= from && in + (int64_t)n <= from + size) return true;
    }
    return false;
}

static bool poisoned(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != RG_POISON) return false;
    return true;
}

/* ---- marks ---- */

static void mark_read(struct rg_watch *w, struct region *r, size_t first, size_t last, const unsigned char *at,
                      size_t n, const void *pc)
{
    for (size_t i = first; i <= last; i++) {
        unsigned char m = atomic_load_explicit(&r->marks[i], memory_order_relaxed), add = READ;
        if (m & READ) continue;
        if (!(m & WRITTEN)) {
            /* what is no longer poison somebody has written whom no hook has seen; a byte of a value may be that of the
             * poison by chance */
            bool fresh =
                r->before || (n > r->granule ? poisoned(at, n) : poisoned(r->data + i * r->granule, r->granule));
            add |= fresh ? EXPOSED : WRITTEN;
            if (fresh && r->q->role == RG_ROLE_OUT && of_one_scalar(w, r, (size_t)(at - r->data), n))
                output_read(w, r, at, pc);
        }
        atomic_fetch_or_explicit(&r->marks[i], add, memory_order_relaxed);
    }
}

static void mark_written(struct rg_watch *w, struct region *r, size_t first, size_t last, const unsigned char *at,
                         const void *pc)
{
    if (r->q->role == RG_ROLE_IN) input_written(w, r, at, pc);
    for (size_t i = first; i <= last; i++)
        if (!(atomic_load_explicit(&r->marks[i], memory_order_relaxed) & WRITTEN))
            atomic_fetch_or_explicit(&r->marks[i], WRITTEN, memory_order_relaxed);
}

static struct region *region_of(struct rg_watch *w, const unsigned char *at)
{
    int h = atomic_load_explicit(&hint, memory_order_relaxed);
    if (h < w->n && at >= w->regions[h].lo && at < w->regions[h].hi) return &w->regions[h];
    for (int i = 0; i < w->n; i++)
        if (at >= w->regions[i].lo && at < w->regions[i].hi) {
            atomic_store_explicit(&hint, i, memory_order_relaxed);
            return &w->regions[i];
        }
    return NULL;
}

void rg__watch_access(const void *address, unsigned long n, int kind, const void *pc)
{
    struct rg_watch *w = atomic_load_explicit(&current, memory_order_relaxed);
    const unsigned char *at = address;
    if (!w || !n) return;
    atomic_store_explicit(&last_pc, pc, memory_order_relaxed);
    struct region *r = region_of(w, at);
    if (!r) return; /* its own variables, or nothing: then the next instruction crashes */
    if (at < r->data || n > r->bytes || at > r->data + (r->bytes - n)) {
        outside(w, r, at, kind, pc);
        return;
    }
    size_t first = (size_t)(at - r->data) / r->granule, last = ((size_t)(at - r->data) + n - 1) / r->granule;
    if (kind != RG_HOOK_WRITE) mark_read(w, r, first, last, at, n, pc);
    if (kind != RG_HOOK_READ) mark_written(w, r, first, last, at, pc);
}

/* ---- declared dimensions ---- */

/* The parameter that an expression subscripts: "A" of "A[i][j + 1]". */
static const struct region *subscripted(const struct rg_watch *w, const char *expression)
{
    size_t n = strcspn(expression, "[.-( ");
    for (int i = 0; i < w->n; i++) {
        const char *name = rg_param_shown(w->regions[i].q);
        if (strlen(name) == n && !strncmp(name, expression, n)) return &w->regions[i];
    }
    return NULL;
}

/* What the type says: "float [4][8]" has 2 brackets and 4 elements, "float [*]" one and -1 (unknown). */
static int64_t declared(const char *type, int *brackets)
{
    const char *open = strchr(type, '[');
    *brackets = 0;
    for (const char *p = type; *p; p++) *brackets += *p == '[';
    if (!open || open[1] < '0' || open[1] > '9') return -1;
    return atoll(open + 1);
}

void rg__watch_bounds(const char *file, unsigned line, unsigned column, const char *type, long long index)
{
    struct rg_watch *w = atomic_load_explicit(&current, memory_order_relaxed);
    if (!w) return;
    char expression[160] = "", has[120] = "", text[1000];
    int brackets;
    int64_t n = declared(type, &brackets);
    const struct region *r = NULL;
    if (rg__where_subscript(w->call->problem->reference_c, file, (int)line, (int)column, expression, sizeof expression))
        r = subscripted(w, expression);
    int d = r ? r->n_dims - brackets : -1;
    if (n < 0 && d >= 0 && d < r->n_dims) n = r->dims[d];
    if (n >= 0) snprintf(has, sizeof has, ", and that dimension has %lld element%s", (long long)n, n == 1 ? "" : "s");
    snprintf(text, sizeof text,
             "%s steps out of bounds at %s: %s%s the index is %lld%s%s. Bound the loop or guard the access%s",
             w->call->problem->function, w->where, expression[0] ? "in " : "in an array of its own, type ",
             expression[0] ? expression : type, index, has, d > 0 ? "; beyond it lies another row" : "",
             d > 0 ? "; an array that is walked with one index over all rows must be declared flat (`float *a`)"
                   : ", or make the array as long as it is used");
    violation(w, file, (int)line, (int)column, text);
}

/* ---- the sum ---- */

static void gather(const struct region *r, unsigned char which, struct rg_touch_set *s)
{
    int64_t per = r->q->elem_bytes / (int64_t)r->granule, elements = (int64_t)(r->bytes / (size_t)r->q->elem_bytes),
            touched = 0, volume = 1;
    int64_t hi[RG_TOUCH_DIMS] = {0}, index[RG_TOUCH_DIMS] = {0};
    bool alike = true;
    *s = (struct rg_touch_set){.n_dims = r->n_dims};
    for (int d = 0; d < r->n_dims; d++) s->below[d] = r->dims[d];
    for (int64_t e = 0; e < elements; e++) {
        int64_t n = 0;
        for (int64_t k = 0; k < per; k++)
            n += (atomic_load_explicit(&r->marks[e * per + k], memory_order_relaxed) & which) != 0;
        if (n) {
            n *= (int64_t)r->granule;
            alike = alike && (!touched || n == s->per_element);
            s->per_element = n;
            s->bytes += n;
            touched++;
            for (int d = 0; d < r->n_dims; d++) {
                if (index[d] < s->below[d]) s->below[d] = index[d];
                if (index[d] > hi[d]) hi[d] = index[d];
            }
        }
        for (int d = r->n_dims - 1; d >= 0 && ++index[d] >= r->dims[d]; d--)
            index[d] = d ? 0 : index[d]; /* an odometer */
    }
    for (int d = 0; d < r->n_dims; d++) {
        volume *= hi[d] - s->below[d] + 1;
        s->above[d] = r->dims[d] - 1 - hi[d];
        if (!touched) s->below[d] = s->above[d] = 0;
    }
    if (!alike || touched != volume) s->per_element = 0;
}

/* A single value that the function returns, or leaves in a file-scope variable, is put into its place behind the call.
 */
static void mark_value(struct region *r)
{
    if (r->bytes != (size_t)r->q->elem_bytes) return;
    for (size_t b = 0; b < r->bytes; b++)
        if (r->data[b] != (r->before ? r->before[b] : RG_POISON))
            atomic_fetch_or_explicit(&r->marks[b / r->granule], WRITTEN, memory_order_relaxed);
}

struct rg_touch *rg__watch_result(struct rg_watch *w, struct rg_arena *a, int *n)
{
    struct rg_touch *rows = rg_arena_alloc(a, (size_t)(w->n + 1) * sizeof *rows);
    *n = 0;
    for (int i = 0; i < w->n && *n < RG_MAX_TOUCHES; i++) {
        struct region *r = &w->regions[i];
        struct rg_touch *t = &rows[(*n)++];
        mark_value(r);
        *t = (struct rg_touch){.param = r->param};
        gather(r, EXPOSED, &t->read);
        gather(r, WRITTEN, &t->written);
        for (size_t b = 0; b < r->bytes && !t->unseen; b++)
            t->unseen = !(r->marks[b / r->granule] & WRITTEN) && r->data[b] != (r->before ? r->before[b] : RG_POISON);
    }
    return rows;
}
