/* One variant: its plan read from its comments, compiled, run in full at the small sizes and compared, then estimated
 * or timed. */
#include "runtime/kernels/kernels.h"
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE = 400 };              /* operations that fit behind a held stream */
static const double host_us = 4.0; /* of the host for each of more, measured beside an H200 */

static enum rg_status room(struct kernels_host *h, const char *name, int64_t elements, int64_t elem_bytes, int *handle,
                           struct rg_error *err)
{
    if (h->n == (int)(sizeof h->b / sizeof *h->b)) return rg_error_set(err, RG_INPUT, "too many buffers");
    *handle = h->n;
    h->b[h->n].bytes = elements * elem_bytes;
    h->b[h->n].elem_bytes = elem_bytes;
    enum rg_status s = h->d->alloc(h->d->self, (size_t)h->b[h->n].bytes, name, &h->b[h->n].addr, err);
    if (s == RG_OK) h->n++;
    return s;
}

static enum rg_status on_scratch(void *arg, const char *name, enum rg_scalar elem, int si, int64_t n, int *handle,
                                 struct rg_error *err)
{
    struct kernels_host *h = arg;
    if (h->again) {
        *handle = h->next_scratch++;
        return RG_OK;
    }
    enum rg_status s = room(h, name, n, (int64_t)rg_scalar_bytes(elem), handle, err);
    if (s == RG_OK) s = h->d->fill(h->d->self, h->b[*handle].addr, (size_t)h->b[*handle].bytes, 1, 0xff, err);
    if (s == RG_OK && h->d->undefined)
        h->d->undefined(h->d->self, h->b[*handle].addr, (size_t)h->b[*handle].bytes, false);
    return s;
}

static void store(enum rg_scalar t, char *to, double v, int64_t i, bool real)
{
    if (t == RG_F32) {
        float f = real ? (float)v : (float)i;
        memcpy(to, &f, 4);
    } else if (t == RG_F64) {
        double d = real ? v : (double)i;
        memcpy(to, &d, 8);
    } else {
        int64_t x = real ? (int64_t)v : i;
        memcpy(to, &x, 8);
    }
}

static enum rg_status failed(struct kernels_host *h, enum rg_status s, struct rg_error *err)
{
    if (s == RG_OK && h->fault.outcome != RG_OUTCOME_OK) return rg_error_set(err, RG_CANCELED, "%s", h->fault.message);
    return s;
}

static enum rg_status on_launch(void *arg, const struct rg_plan_launch *l, struct rg_error *err)
{
    struct kernels_host *h = arg;
    enum { MOST = 64 };
    const void *args[MOST];
    size_t bytes[MOST];
    char values[MOST][8];
    if (l->n_args > MOST) return rg_error_set(err, RG_INPUT, "a kernel with %d arguments", l->n_args);
    for (int i = 0; i < l->n_args; i++) {
        const struct rg_plan_value *v = &l->args[i];
        args[i] = values[i];
        bytes[i] = 8;
        if (v->kind == RG_ARG_BUFFER) {
            rg_addr a = h->b[v->buffer].addr + (rg_addr)(v->offset * h->b[v->buffer].elem_bytes);
            memcpy(values[i], &a, 8);
        } else {
            bool real =
                v->kind == RG_ARG_REAL || (v->kind == RG_ARG_SCALAR && rg_scalar_is_real(h->p->params[v->param].elem));
            bytes[i] = rg_scalar_bytes(v->type.type);
            store(v->type.type, values[i], v->kind == RG_ARG_SCALAR ? h->scalars[v->param] : v->real,
                  v->kind == RG_ARG_SCALAR ? (int64_t)h->scalars[v->param] : v->offset, real);
        }
    }
    struct rg_launch q = {.module = h->module,
                          .kernel = l->kernel,
                          .shared_bytes = l->shared_bytes,
                          .cooperative = l->cooperative,
                          .n_args = l->n_args,
                          .args = args,
                          .arg_bytes = bytes};
    memcpy(q.grid, l->grid, sizeof q.grid);
    memcpy(q.block, l->block, sizeof q.block);
    memcpy(q.cluster, l->cluster, sizeof q.cluster);
    h->launches++;
    return failed(h, h->d->launch(h->d->self, &q, &h->fault, err), err);
}

static enum rg_status on_fill(void *arg, int b, int64_t n, enum rg_scalar elem, int64_t v, double real, bool is_real,
                              struct rg_error *err)
{
    struct kernels_host *h = arg;
    uint64_t bits = 0;
    char t[8] = {0};
    store(elem, t, real, v, is_real);
    memcpy(&bits, t, 8);
    h->launches++;
    return h->d->fill(h->d->self, h->b[b].addr, (size_t)n, (int)rg_scalar_bytes(elem), bits, err);
}

static enum rg_status on_copy(void *arg, int to, int64_t ot, int from, int64_t of, int64_t n, int64_t size,
                              struct rg_error *err)
{
    struct kernels_host *h = arg;
    h->launches++;
    return h->d->copy(h->d->self, h->b[to].addr + (rg_addr)(ot * size), h->b[from].addr + (rg_addr)(of * size),
                      (size_t)(n * size), err);
}

static enum rg_status on_symbol(void *arg, const char *symbol, int from, int64_t of, int64_t n, int64_t size,
                                struct rg_error *err)
{
    struct kernels_host *h = arg;
    rg_addr a;
    size_t bytes;
    h->launches++;
    enum rg_status s = h->d->symbol(h->d->self, h->module, symbol, &a, &bytes, err);
    if (s == RG_OK && (uint64_t)(n * size) > bytes)
        return rg_error_set(err, RG_INPUT, "copy of %lld bytes to '%.60s', which has %zu", (long long)(n * size),
                            symbol, bytes);
    return s != RG_OK ? s : h->d->copy(h->d->self, a, h->b[from].addr + (rg_addr)(of * size), (size_t)(n * size), err);
}

static enum rg_status on_resident(void *arg, const struct rg_plan_launch *l, int64_t *blocks, struct rg_error *err)
{
    struct kernels_host *h = arg;
    return h->d->resident(h->d->self, h->module, l->kernel, (int)(l->block[0] * l->block[1] * l->block[2]),
                          l->shared_bytes, blocks, err);
}

static enum rg_status on_read(void *arg, int b, int64_t i, enum rg_scalar elem, int64_t *v, struct rg_error *err)
{
    struct kernels_host *h = arg;
    size_t n = rg_scalar_bytes(elem);
    char t[8] = {0};
    enum rg_status s = failed(h, h->d->sync(h->d->self, &h->fault, err), err);
    if (s == RG_OK) s = h->d->from_device(h->d->self, t, h->b[b].addr + (rg_addr)((uint64_t)i * n), n, err);
    *v = 0;
    memcpy(v, t, 8);
    if (rg_scalar_is_signed(elem) && n < 8) *v = (int64_t)((uint64_t)*v << (64 - 8 * n)) >> (64 - 8 * n);
    return s;
}

void rg__kernels_drop(struct kernels_host *h)
{
    for (int i = 0; i < h->n; i++)
        if (h->b[i].addr) h->d->release(h->d->self, h->b[i].addr);
    h->n = 0;
    h->again = false;
}

static enum rg_status upload(struct kernels_host *h, struct kernels_problem *k, int size, struct rg_error *err)
{
    memset(h->b, 0, sizeof h->b);
    enum rg_status s = RG_OK;
    for (int i = 0; i < k->p->n_params && s == RG_OK; i++) {
        const struct rg_param *q = &k->p->params[i];
        int64_t bytes;
        int handle;
        if (q->kind != RG_PARAM_ARRAY) {
            h->n++;
            continue;
        }
        s = rg__kernels_input(k, size, i, &bytes, err);
        if (s == RG_OK) s = room(h, q->name, bytes / q->elem_bytes, q->elem_bytes, &handle, err);
        if (s == RG_OK) s = h->d->to_device(h->d->self, h->b[i].addr, k->inputs[size][i], (size_t)bytes, err);
        if (s == RG_OK && q->role == RG_ROLE_OUT && h->d->undefined)
            h->d->undefined(h->d->self, h->b[i].addr, (size_t)bytes, true);
    }
    h->n_params = k->p->n_params;
    return s;
}

static const struct rg_plan_ops no_ops = {NULL,      on_scratch,  on_launch, on_fill, on_copy,
                                          on_symbol, on_resident, on_read,   NULL,    NULL};

static enum rg_status run(struct kernels_host *h, struct rg_plan *q, struct kernels_problem *k, int size,
                          struct rg_error *err)
{
    struct rg_plan_ops ops = no_ops;
    ops.arg = h;
    h->next_scratch = h->n_params;
    h->launches = 0;
    enum rg_status s = rg_plan_run(q, k->p, &k->p->sizes[size], h->sigs, &ops, 0, err);
    h->again = true;
    return s;
}

static enum rg_status verify(struct kernels_run *r, struct kernels_host *h, struct rg_plan *q,
                             struct kernels_problem *k, struct kernels_result *out, struct rg_error *err)
{
    struct rg_device *d = &r->d;
    if (d->check) d->check(d->self, r->o->check ? 2e7 : 0);
    if (d->estimate_mode) d->estimate_mode(d->self, false);
    if (d->budget) d->budget(d->self, 2e10);
    enum rg_status s = upload(h, k, 1, err);
    if (s == RG_OK) s = run(h, q, k, 1, err);
    if (s == RG_OK) s = failed(h, d->sync(d->self, &h->fault, err), err);
    if (s == RG_OK) s = failed(h, d->guards(d->self, &h->fault, err), err);
    out->max_error = 0;
    for (int i = 0; i < k->p->n_params && s == RG_OK; i++) {
        const struct rg_param *p = &k->p->params[i];
        if (p->kind != RG_PARAM_ARRAY || p->role == RG_ROLE_IN) continue;
        char *got = malloc((size_t)h->b[i].bytes);
        if (!got) return rg_error_set(err, RG_NOMEM, "no memory for an output");
        s = d->from_device(d->self, got, h->b[i].addr, (size_t)h->b[i].bytes, err);
        double e = s == RG_OK ? rg__kernels_compare(k, 1, i, got) : 0;
        free(got);
        if (!(e <= out->max_error)) out->max_error = e;
    }
    if (s == RG_OK) {
        out->verified = out->max_error <= k->tolerance;
        if (!out->verified) {
            out->outcome = RG_OUTCOME_WRONG;
            snprintf(out->message, sizeof out->message, "worst element is off by %.3g, more than %.3g", out->max_error,
                     k->tolerance);
        }
    }
    rg__kernels_drop(h);
    if (d->check) d->check(d->self, 0);
    return s;
}

/* What one run of the plan at a size would take; on a device that samples, or in full. */
struct clocked {
    double us, launch_us, low_us, high_us, blind;
    enum rg_limiter limiter;
    int n;
    struct rg_counter list[RG_MAX_COUNTERS];
};

static enum rg_status clocked(struct kernels_host *h, struct kernels_loaded *v, struct kernels_problem *k, int size,
                              bool sampled, double budget, struct clocked *c, struct rg_error *err)
{
    struct rg_device *d = h->d;
    c->n = RG_MAX_COUNTERS;
    d->counters(d->self, c->list, &c->n, &c->limiter); /* since the last call: start from nothing */
    d->budget(d->self, budget);
    d->estimate_mode(d->self, sampled);
    enum rg_status s = h->cold ? d->flush(d->self, err) : RG_OK;
    if (s == RG_OK) s = d->mark(d->self, 0, err);
    if (s == RG_OK) s = run(h, v->plan, k, size, err);
    if (s == RG_OK) s = d->mark(d->self, 1, err);
    if (s == RG_OK) s = failed(h, d->elapsed(d->self, 0, 1, &c->us, &h->fault, err), err);
    d->estimate_mode(d->self, false);
    memset(c->list, 0, sizeof c->list);
    c->n = RG_MAX_COUNTERS;
    d->counters(d->self, c->list, &c->n, &c->limiter);
    c->low_us = c->high_us = c->us;
    for (int i = 0; i < c->n; i++) {
        const struct rg_counter *q = &c->list[i];
        if (!strcmp(q->name, "interval_low_us")) c->low_us = q->value;
        if (!strcmp(q->name, "interval_high_us")) c->high_us = q->value;
        if (!strcmp(q->name, "blind_launches")) c->blind = q->value;
        if (!strcmp(q->name, "launch_us")) c->launch_us = q->value;
    }
    return s;
}

/* The same over inputs as they were. */
static enum rg_status clocked_anew(struct kernels_host *h, struct kernels_loaded *v, struct kernels_problem *k,
                                   int size, bool sampled, double budget, struct clocked *c, struct rg_error *err)
{
    memset(c, 0, sizeof *c);
    memset(&h->fault, 0, sizeof h->fault);
    rg__kernels_drop(h);
    enum rg_status s = upload(h, k, size, err);
    return s ? s : clocked(h, v, k, size, sampled, budget, c, err);
}

/* Sampled blocks did not see what earlier launches would have written, so the plan runs in full; where that is too
 * long, the small sizes tell by how much sampling is wrong, and the interval is wide. */
static enum rg_status in_full(struct kernels_host *h, struct kernels_loaded *v, struct kernels_problem *k,
                              struct clocked *c, struct rg_error *err)
{
    static const double work = 3e10; /* instructions of threads: ten seconds or so */
    struct clocked timed, small, all;
    enum rg_status s = clocked_anew(h, v, k, 0, false, work, &timed, err);
    if (s == RG_OK) {
        *c = timed;
        return RG_OK;
    }
    if (h->fault.outcome != RG_OUTCOME_TIMEOUT) return s;
    rg_error_clear(err);
    s = clocked_anew(h, v, k, 1, true, work, &small, err);
    if (s == RG_OK) s = clocked_anew(h, v, k, 1, false, work, &all, err);
    if (s == RG_OK && small.us > small.launch_us && all.us > all.launch_us)
        c->us = c->launch_us + (c->us - c->launch_us) * (all.us - all.launch_us) / (small.us - small.launch_us);
    c->low_us = c->us / 2;
    c->high_us = c->us * 2;
    rg__kernels_drop(h); /* the buffers are of the small sizes */
    return s;
}

enum rg_status rg__kernels_estimate(struct kernels_run *r, struct kernels_host *h, struct kernels_loaded *v,
                                    struct kernels_problem *k, struct kernels_result *out, struct rg_error *err)
{
    struct rg_device *d = &r->d;
    struct clocked c = {0};
    h->p = k->p;
    h->scalars = k->scalars;
    h->d = d;
    h->sigs = v->sigs;
    h->again = false;
    h->cold = r->o->cold;
    memset(&h->fault, 0, sizeof h->fault);
    enum rg_status s = h->n ? RG_OK : upload(h, k, 0, err);
    if (s == RG_OK) s = failed(h, d->load(d->self, &v->blob, &h->module, &h->fault, err), err);
    if (s == RG_OK)
        s = clocked(h, v, k, 0, !v->plan->reads_data, 2e11, &c,
                    err); /* a plan whose course depends on data runs in full */
    if (s == RG_OK && c.blind > 0) s = in_full(h, v, k, &c, err);
    if (s == RG_OK) {
        if (h->launches > QUEUE && !v->plan->reads_data &&
            c.us < host_us * (double)h->launches) { /* the device waits for the host */
            c.us = host_us * (double)h->launches;
            c.low_us = fmax(c.low_us, c.us / 1.3);
            c.high_us = fmax(c.high_us, c.us * 1.3);
            c.limiter = RG_LIMIT_LAUNCH;
        }
        out->us = c.us;
        out->low_us = c.low_us;
        out->high_us = c.high_us;
        out->n_counters = c.n;
        memcpy(out->counters, c.list, sizeof out->counters);
        snprintf(out->limiter, sizeof out->limiter, "%s", rg_limiter_word(c.limiter));
        out->timed = out->us > 0;
    }
    for (; h->n > h->n_params; h->n--) d->release(d->self, h->b[h->n - 1].addr);
    if (h->module) d->unload(d->self, h->module);
    h->module = NULL;
    return s;
}

enum rg_status rg__kernels_once(struct kernels_run *r, struct kernels_host *h, struct kernels_loaded *v,
                                struct kernels_problem *k, int size, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    if (!h->n) {
        *h = (struct kernels_host){.d = &r->d, .p = k->p, .scalars = k->scalars, .sigs = v->sigs};
        if (r->d.estimate_mode) r->d.estimate_mode(r->d.self, false);
        s = upload(h, k, size, err);
        if (s == RG_OK) s = failed(h, r->d.load(r->d.self, &v->blob, &h->module, &h->fault, err), err);
    }
    return s ? s : run(h, v->plan, k, size, err);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* One repetition: behind a kernel that holds the stream, a mark on both sides of the plan. */
static enum rg_status sample(struct kernels_run *r, struct kernels_host *h, struct rg_plan *q,
                             struct kernels_problem *k, bool cold, double *us, struct rg_error *err)
{
    struct rg_device *d = &r->d;
    bool hold = d->hold && h->again && !q->reads_data && h->launches <= QUEUE; /* the first run allocates */
    enum rg_status s = cold ? d->flush(d->self, err) : RG_OK;
    if (s == RG_OK && hold) s = d->hold(d->self, err);
    if (s == RG_OK) s = d->mark(d->self, 0, err);
    if (s == RG_OK) s = run(h, q, k, 0, err);
    if (s == RG_OK) s = d->mark(d->self, 1, err);
    if (hold) d->release_hold(d->self, NULL);
    if (s == RG_OK) s = failed(h, d->sync(d->self, &h->fault, err), err);
    if (s == RG_OK) s = failed(h, d->elapsed(d->self, 0, 1, us, &h->fault, err), err);
    return s;
}

static enum rg_status measure(struct kernels_run *r, struct kernels_host *h, struct rg_plan *q,
                              struct kernels_problem *k, struct kernels_result *out, struct rg_error *err)
{
    enum { WARM = 3, COLD = 5 };
    double us[KERNELS_REPS], one = 0;
    enum rg_status s = upload(h, k, 0, err);
    for (int i = 0; i < WARM && s == RG_OK; i++) s = sample(r, h, q, k, false, &one, err);
    int n = one > 30000 ? 5 : KERNELS_REPS;
    for (int i = 0; i < n && s == RG_OK; i++) s = sample(r, h, q, k, false, &us[i], err);
    if (s == RG_OK) {
        qsort(us, (size_t)n, sizeof *us, by_value);
        out->hot_us = n % 2 ? us[n / 2] : 0.5 * (us[n / 2 - 1] + us[n / 2]);
        out->hot_min_us = us[0];
        out->reps = n;
    }
    for (int i = 0; i < COLD && s == RG_OK; i++) s = sample(r, h, q, k, true, &us[i], err);
    if (s == RG_OK) {
        qsort(us, COLD, sizeof *us, by_value);
        out->cold_us = us[COLD / 2];
        out->timed = true;
        s = failed(h, r->d.guards(r->d.self, &h->fault, err), err);
    }
    rg__kernels_drop(h);
    return s;
}

/* The plan and the description stand in comments; lines keep their numbers in what is compiled. */
static void comments(const char *text, struct rg_buf *plan, struct kernels_result *out)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        int n = (int)strcspn(line, "\r\n");
        const char *at = line + strspn(line, " \t");
        if (strncmp(at, "//", 2)) continue;
        at += 2;
        at += strspn(at, " \t");
        int left = n - (int)(at - line);
        if (left >= 5 && !strncmp(at, "plan:", 5))
            rg_buf_printf(plan, "%.*s\n", left - 5, at + 5);
        else if (left >= 5 && !strncmp(at, "desc:", 5) && !out->desc[0])
            snprintf(out->desc, sizeof out->desc, "%.*s", left - 5 - (at[5] == ' '), at + 5 + (at[5] == ' '));
    }
}

static void note(struct kernels_result *out, enum rg_outcome o, const char *text)
{
    if (out->outcome != RG_OUTCOME_OK) return; /* the first wins */
    out->outcome = o;
    snprintf(out->message, sizeof out->message, "%.399s", text);
}

enum rg_status rg__kernels_compile(struct kernels_run *r, struct kernels_problem *k, const char *file,
                                   struct kernels_result *out, struct kernels_loaded *v, struct rg_error *err)
{
    struct rg_buf plan = RG_BUF_INIT;
    struct rg_compiled *c = &v->compiled;
    char *text = NULL;
    size_t len;
    memset(v, 0, sizeof *v);
    enum rg_status s = rg_file_read(file, 1 << 20, &text, &len, err);
    if (s == RG_OK) {
        comments(text, &plan, out);
        if (!plan.len) s = rg_error_set(err, RG_INPUT, "no `// plan:` line");
    }
    if (s == RG_OK) s = rg_plan_parse(plan.data, &v->plan, err);
    if (s == RG_OK)
        s = rg__compile(&r->compiler, &v->arena, text, r->d.facts.arch, 0, v->plan->kernels, v->plan->n_kernels, c,
                        err);
    rg_buf_release(&plan);
    free(text);
    if (s != RG_OK) return s;
    if (c->outcome != RG_OUTCOME_OK) {
        note(out, c->outcome, c->message);
        return RG_OK;
    }
    size_t n = (size_t)c->n_kernels;
    v->sigs = rg_arena_alloc(&v->arena, sizeof *v->sigs * n);
    const char **lowered = rg_arena_alloc(&v->arena, sizeof *lowered * n);
    struct rg_kernel_attributes *attributes = rg_arena_alloc(&v->arena, sizeof *attributes * n);
    for (int i = 0; i < c->n_kernels && s == RG_OK; i++) {
        const struct rg_kernel_attributes *a = &c->kernels[i].attributes;
        lowered[i] = c->kernels[i].lowered;
        attributes[i] = *a;
        if (a->regs > out->regs) out->regs = a->regs;
        if (a->shared_bytes > out->shared_bytes) out->shared_bytes = a->shared_bytes;
        if (a->local_bytes > out->local_bytes) out->local_bytes = a->local_bytes;
        s = rg_kernel_sig_parse(&v->arena, c->kernels[i].name, lowered[i], &v->sigs[i], err);
    }
    v->blob = (struct rg_blob){.cubin = c->cubin,
                               .cubin_len = c->cubin_len,
                               .ptx = c->ptx,
                               .ptx_len = c->ptx_len,
                               .n_kernels = c->n_kernels,
                               .lowered = lowered,
                               .attributes = attributes};
    return s != RG_OK ? s : rg_plan_check(v->plan, k->p, v->sigs, err);
}

void rg__kernels_loaded_release(struct kernels_loaded *v)
{
    rg__compiled_release(&v->compiled);
    rg_plan_free(v->plan);
    rg_arena_release(&v->arena);
}

void rg__kernels_variant(struct kernels_run *r, struct kernels_problem *k, const char *file, struct kernels_result *out)
{
    struct rg_error e = RG_ERROR_INIT;
    struct kernels_loaded v;
    struct kernels_host h = {.d = &r->d, .p = k->p, .scalars = k->scalars};
    char words[400];
    double start = rg_now();
    out->max_error = -1;
    out->outcome = RG_OUTCOME_OK;
    out->simulated = r->d.simulated;
    enum rg_status s = rg__kernels_compile(r, k, file, out, &v, &e);
    if (s == RG_OK && out->outcome == RG_OUTCOME_OK) {
        h.sigs = v.sigs;
        /* No reference: nothing is verified, but times are worth having all the same. */
        struct rg_error why = RG_ERROR_INIT;
        bool compared = !r->o->no_verify && rg__kernels_expect(k, 1, &why) == RG_OK,
             apart = !r->d.simulated || compared;
        if (!r->o->no_verify && !compared) note(out, RG_OUTCOME_PLAN, rg_error_format(&why, words, sizeof words));
        if (apart) s = failed(&h, r->d.load(r->d.self, &v.blob, &h.module, &h.fault, &e), &e);
        if (s == RG_OK && compared) s = verify(r, &h, v.plan, k, out, &e);
        if (s == RG_OK && !r->d.simulated) s = measure(r, &h, v.plan, k, out, &e);
        if (h.module) r->d.unload(r->d.self, h.module);
        h.module = NULL;
        rg__kernels_drop(&h);
        if (s == RG_OK && r->d.simulated) s = rg__kernels_estimate(r, &h, &v, k, out, &e);
    }
    if (h.fault.outcome != RG_OUTCOME_OK)
        note(out, h.fault.outcome, h.fault.message);
    else if (s == RG_INPUT)
        note(out, RG_OUTCOME_PLAN, rg_error_format(&e, words, sizeof words));
    else if (s != RG_OK)
        note(out, RG_OUTCOME_CRASH, rg_error_format(&e, words, sizeof words));
    rg__kernels_drop(&h);
    out->seconds = rg_now() - start;
    rg__kernels_loaded_release(&v);
}

enum rg_status rg__kernels_warm(struct kernels_run *r, struct rg_error *err)
{
    static const char source[] =
        "__global__ void rg_nothing() {}\n__global__ void rg_spin(float *x) { float v = x[threadIdx.x]; for (int i = "
        "0; i < 1000000; i++) v = v * 0.999f + 0.5f; x[threadIdx.x] = v; }\n";
    const char *names[2] = {"rg_nothing", "rg_spin"}, *lowered[2];
    struct rg_arena arena = RG_ARENA_INIT;
    struct rg_compiled c = {0};
    struct rg_kernel_attributes attributes[2];
    struct rg_module *m = NULL;
    struct rg_fault fault = {RG_OUTCOME_OK, ""};
    struct rg_device *d = &r->d;
    rg_addr a = 0;
    double us[KERNELS_REPS] = {0};
    enum rg_status s = rg__compile(&r->compiler, &arena, source, d->facts.arch, 0, names, 2, &c, err);
    if (s == RG_OK && c.outcome != RG_OUTCOME_OK) s = rg_error_set(err, RG_BUG, "%s", c.message);
    for (int i = 0; i < 2 && s == RG_OK; i++)
        lowered[i] = c.kernels[i].lowered, attributes[i] = c.kernels[i].attributes;
    struct rg_blob blob = {.cubin = c.cubin,
                           .cubin_len = c.cubin_len,
                           .ptx = c.ptx,
                           .ptx_len = c.ptx_len,
                           .n_kernels = 2,
                           .lowered = lowered,
                           .attributes = attributes};
    if (s == RG_OK) s = d->load(d->self, &blob, &m, &fault, err);
    if (s == RG_OK) s = d->alloc(d->self, 4096, "warm", &a, err);
    if (s == RG_OK) s = d->fill(d->self, a, 1024, 4, 0, err);
    if (s == RG_OK) s = d->flush(d->self, err); /* what it allocates must not be asked for while the stream is held */
    const void *args[1] = {&a};
    size_t bytes[1] = {sizeof a};
    struct rg_launch spin = {.module = m,
                             .kernel = 1,
                             .grid = {d->facts.sms, 1, 1},
                             .block = {1024, 1, 1},
                             .cluster = {0},
                             .n_args = 1,
                             .args = args,
                             .arg_bytes = bytes};
    struct rg_launch nothing = {.module = m, .kernel = 0, .grid = {1, 1, 1}, .block = {32, 1, 1}, .cluster = {0}};
    for (double from = rg_now(); s == RG_OK && rg_now() - from < 1;) {
        s = d->launch(d->self, &spin, &fault, err);
        if (s == RG_OK) s = d->sync(d->self, &fault, err);
    }
    for (int i = 0; i < KERNELS_REPS && s == RG_OK; i++) {
        if (d->hold) s = d->hold(d->self, err);
        if (s == RG_OK) s = d->mark(d->self, 0, err);
        if (s == RG_OK) s = d->launch(d->self, &nothing, &fault, err);
        if (s == RG_OK) s = d->mark(d->self, 1, err);
        if (d->hold) d->release_hold(d->self, NULL);
        if (s == RG_OK) s = d->sync(d->self, &fault, err);
        if (s == RG_OK) s = d->elapsed(d->self, 0, 1, &us[i], &fault, err);
    }
    if (s == RG_OK && fault.outcome != RG_OUTCOME_OK) s = rg_error_set(err, RG_UNAVAILABLE, "%s", fault.message);
    qsort(us, KERNELS_REPS, sizeof *us, by_value);
    r->null_us = s == RG_OK ? us[KERNELS_REPS / 2] : -1;
    if (a) d->release(d->self, a);
    if (m) d->unload(d->self, m);
    rg__compiled_release(&c);
    rg_arena_release(&arena);
    return s;
}
