/* The simulated device behind struct rg_device. */
#include "runtime/sim/check/check.h"
#include "runtime/sim/device_sim.h"
#include "runtime/sim/model/sample.h"
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

static enum rg_status dev_load(void *self, const struct rg_blob *blob, struct rg_module **out, struct rg_fault *fault,
                               struct rg_error *err)
{
    struct sim_device *d = self;
    *out = NULL;
    memset(fault, 0, sizeof *fault);
    if (!blob->ptx) return rg_error_set(err, RG_BUG, "the simulated device needs PTX");
    return rg__sim_module_load(d, blob, out, err);
}

static void dev_unload(void *self, struct rg_module *m)
{
    rg__sim_module_free(self, m);
}

static enum rg_status dev_alloc(void *self, size_t bytes, const char *name, rg_addr *out, struct rg_error *err)
{
    struct sim_device *d = self;
    return rg__sim_alloc(&d->memory, bytes, name, false, out, err);
}

static void dev_release(void *self, rg_addr a)
{
    struct sim_device *d = self;
    rg__sim_release(&d->memory, a);
}

static enum rg_status range(struct sim_device *d, rg_addr a, size_t bytes, const char *what, char **host,
                            struct rg_error *err)
{
    bool inside;
    const struct sim_buffer *b = rg__sim_find(&d->memory, a, &inside);
    *host = NULL;
    if (!bytes) return RG_OK;
    if (!b || !inside || bytes > b->bytes - (a - b->addr)) {
        if (!b) return rg_error_set(err, RG_BUG, "%s of %zu bytes at no buffer", what, bytes);
        return rg_error_set(err, RG_BUG, "%s of %zu bytes at offset %lld of '%s', which has %zu", what, bytes,
                            (long long)(a - b->addr), b->name, b->bytes);
    }
    *host = sim_host(&d->memory, a);
    return RG_OK;
}

static enum rg_status dev_to(void *self, rg_addr to, const void *from, size_t bytes, struct rg_error *err)
{
    char *h;
    enum rg_status s = range(self, to, bytes, "copy", &h, err);
    if (!s && bytes) memcpy(h, from, bytes);
    struct sim_memory *m = &((struct sim_device *)self)->memory;
    if (!s && m->n_undefined) rg__sim_mark(m, to, bytes, true);
    return s;
}

static enum rg_status dev_from(void *self, void *to, rg_addr from, size_t bytes, struct rg_error *err)
{
    char *h;
    enum rg_status s = range(self, from, bytes, "copy", &h, err);
    if (!s && bytes) memcpy(to, h, bytes);
    struct sim_device *d = self;
    if (d->timing) rg__sim_charge_read(d); /* a plan that looks */
    return s;
}

/* Fills and copies inside a plan cost time: a launch and their bytes. */
static void charge(struct sim_device *d, double bytes)
{
    if (d->estimating || d->timing) rg__sim_charge(d, bytes);
}

static enum rg_status dev_copy(void *self, rg_addr to, rg_addr from, size_t bytes, struct rg_error *err)
{
    struct sim_device *d = self;
    char *a, *b;
    enum rg_status s = range(d, to, bytes, "copy", &a, err);
    if (!s) s = range(d, from, bytes, "copy", &b, err);
    if (s) return s;
    if (bytes) memmove(a, b, bytes);
    if (d->memory.n_undefined) rg__sim_mark_like(&d->memory, to, from, bytes);
    charge(d, 2.0 * (double)bytes);
    rg__sim_cold_touched(&d->memory, from, (double)bytes);
    rg__sim_cold_touched(&d->memory, to, (double)bytes);
    return RG_OK;
}

static enum rg_status dev_fill(void *self, rg_addr to, size_t elements, int elem_bytes, uint64_t bits,
                               struct rg_error *err)
{
    struct sim_device *d = self;
    char *h;
    if (elem_bytes != 1 && elem_bytes != 2 && elem_bytes != 4 && elem_bytes != 8)
        return rg_error_set(err, RG_BUG, "fill of elements of %d bytes", elem_bytes);
    size_t bytes = elements * (size_t)elem_bytes;
    enum rg_status s = range(d, to, bytes, "fill", &h, err);
    if (s) return s;
    bool same = true;
    for (int i = 1; i < elem_bytes; i++) same = same && (uint8_t)(bits >> (8 * i)) == (uint8_t)bits;
    if (same && (uint8_t)bits == 0 &&
        bytes > (size_t)4 << 20) { /* fresh pages are zero: whole pages are dropped, not written */
        size_t head = (size_t)(-(uintptr_t)h & 4095), body = (bytes - head) / 4096 * 4096;
        memset(h, 0, head);
        if (madvise(h + head, body, MADV_DONTNEED)) memset(h + head, 0, body);
        memset(h + head + body, 0, bytes - head - body);
    } else if (same && bytes)
        memset(h, (int)(uint8_t)bits, bytes);
    else
        for (size_t i = 0; i < elements; i++) memcpy(h + i * (size_t)elem_bytes, &bits, (size_t)elem_bytes);
    if (d->memory.n_undefined) rg__sim_mark(&d->memory, to, bytes, true);
    charge(d, (double)bytes);
    rg__sim_cold_touched(&d->memory, to, (double)bytes);
    return RG_OK;
}

static void forget_undefined(struct sim_device *d)
{
    for (int i = 0; i < d->memory.n && d->memory.n_undefined; i++)
        rg__sim_all_defined(&d->memory, d->memory.buffers[i]);
}

static void dev_check(void *self, double accesses)
{
    struct sim_device *d = self;
    d->check = accesses;
    if (accesses <= 0) forget_undefined(d);
}

static void dev_undefined(void *self, rg_addr a, size_t bytes, bool result)
{
    struct sim_device *d = self;
    bool inside;
    struct sim_buffer *b = rg__sim_find(&d->memory, a, &inside);
    if (d->check <= 0 || !b || !inside) return;
    b->scratch = !result;
    rg__sim_mark(&d->memory, a, bytes, false);
}

static void dev_padding(void *self, rg_addr a, const uint8_t *member, int64_t bytes)
{
    struct sim_device *d = self;
    bool inside;
    struct sim_buffer *b = rg__sim_find(&d->memory, a, &inside);
    if (!b || b->addr != a) return;
    free(b->member);
    b->member = rg_xmalloc((size_t)bytes);
    memcpy(b->member, member, (size_t)bytes);
    b->element = bytes;
}

static enum rg_status dev_symbol(void *self, struct rg_module *m, const char *name, rg_addr *out, size_t *bytes,
                                 struct rg_error *err)
{
    /* NVRTC mangles what is in a namespace only; the plan says the plain name. */
    for (int i = 0; i < m->n_symbols; i++)
        if (!strcmp(m->symbols[i].name, name)) {
            *out = m->symbols[i].addr;
            *bytes = m->symbols[i].bytes;
            return RG_OK;
        }
    return rg_error_set(err, RG_INPUT, "the module has no variable '%.100s'", name);
}

/* A kernel whose every fp32 operation flushes denormals (-use_fast_math) runs with the processor doing so. */
static unsigned flush_denormals(bool on, unsigned before)
{
#if defined(__SSE2__)
    unsigned now = _mm_getcsr();
    _mm_setcsr(on ? now | 0x8040 : before);
    return now;
#else
    return 0;
#endif
}

static enum rg_status dev_launch(void *self, const struct rg_launch *l, struct rg_fault *fault, struct rg_error *err)
{
    struct sim_device *d = self;
    memset(fault, 0, sizeof *fault);
    if (!l->module || l->kernel < 0 || l->kernel >= l->module->n_kernels)
        return rg_error_set(err, RG_BUG, "launch of no kernel");
    const struct sim_kernel *k = &l->module->kernels[l->kernel];
    struct sim_run run;
    memset(&run, 0, sizeof run);
    run.memory = &d->memory;
    run.fault = fault;
    run.budget = d->allowance > 0 && d->left < d->budget ? d->left : d->budget;
    run.isa = d->isa;
    run.workers = d->workers;
    enum rg_status s = rg__sim_prepare(&run, &d->model, k, l, err);
    if (!s && fault->outcome == RG_OUTCOME_OK) {
        if (!d->params) s = rg__sim_alloc(&d->memory, 32768 + 64, "kernel parameters", true, &d->params, err);
        if (!s && l->cooperative && !d->workspace)
            s = rg__sim_alloc(&d->memory, 4096, "grid workspace", false, &d->workspace, err);
        if (!s) {
            memcpy(sim_host(&d->memory, d->params), run.param_block, (size_t)k->param_bytes);
            run.param_addr = d->params;
            if (l->cooperative) {
                run.workspace = d->workspace;
                memset(sim_host(&d->memory, d->workspace), 0, 4096);
            }
            unsigned csr = k->ftz ? flush_denormals(true, 0) : 0;
            bool checked = d->check > 0 && !d->estimating && !d->timing;
            double share = d->check / 2; /* so that every launch gets some */
            if (checked) s = rg__sim_check_begin(&run, share, err);
            if (!s)
                s = d->estimating || d->timing ? rg__sim_estimate(d, &run, !d->estimating, err)
                                               : rg__sim_run_all(&run, err);
            if (checked && !s) {
                d->check -= share - run.check->left;
                if (run.check->off) forget_undefined(d); /* what was written since is not known */
            }
            rg__sim_check_end(&run);
            d->executed += run.executed;
            d->left = run.executed < d->left ? d->left - run.executed : 1;
            if (k->ftz) flush_denormals(false, csr);
        }
    }
    rg__sim_finish(&run);
    return s;
}

static enum rg_status dev_resident(void *self, const struct rg_module *m, int kernel, int threads, int64_t shared_bytes,
                                   int64_t *blocks, struct rg_error *err)
{
    const struct sim_device *d = self;
    if (kernel < 0 || kernel >= m->n_kernels) return rg_error_set(err, RG_BUG, "occupancy of no kernel");
    const struct sim_kernel *k = &m->kernels[kernel];
    *blocks = (int64_t)rg__sim_resident(&d->model, k, threads, k->shared_static + shared_bytes) * d->model.facts.sms;
    return RG_OK;
}

static enum rg_status dev_sync(void *self, struct rg_fault *fault, struct rg_error *err)
{
    memset(fault, 0, sizeof *fault); /* launches are synchronous: they have reported everything */
    return RG_OK;
}

/* Guard zones are pages nobody may touch, and every access of a kernel is checked against its buffer before it is made:
 * there is nothing left to find. */
static enum rg_status dev_guards(void *self, struct rg_fault *fault, struct rg_error *err)
{
    memset(fault, 0, sizeof *fault);
    return RG_OK;
}

static enum rg_status dev_hash(void *self, rg_addr a, size_t bytes, uint64_t *out, struct rg_error *err)
{
    char *h;
    enum rg_status s = range(self, a, bytes, "hash", &h, err);
    if (!s) *out = rg_hash64(h, bytes, 0);
    return s;
}

static enum rg_status dev_mark(void *self, int index, struct rg_error *err)
{
    struct sim_device *d = self;
    if (index < 0 || index >= SIM_MAX_MARKS) return rg_error_set(err, RG_BUG, "mark %d", index);
    if (!d->timing) d->clock_us = 0; /* the first of a measurement: what ran before shows in no rounding */
    d->marks[index] = d->clock_us;
    d->dispatched = false;
    d->timing = true;
    for (int i = 0; i < d->memory.n; i++) d->memory.buffers[i]->touched = false;
    return RG_OK;
}

static enum rg_status dev_elapsed(void *self, int from, int to, double *us, struct rg_fault *fault,
                                  struct rg_error *err)
{
    struct sim_device *d = self;
    memset(fault, 0, sizeof *fault);
    if (from < 0 || to < 0 || from >= SIM_MAX_MARKS || to >= SIM_MAX_MARKS)
        return rg_error_set(err, RG_BUG, "marks %d and %d", from, to);
    *us = d->marks[to] - d->marks[from];
    d->timing = false;
    return RG_OK;
}

static double dev_clock(const void *self)
{
    return ((const struct sim_device *)self)->clock_us;
}

static enum rg_status dev_flush(void *self, struct rg_error *err)
{
    rg__sim_cold_all(&((struct sim_device *)self)->memory, 1);
    return RG_OK;
}

static void dev_estimate_mode(void *self, bool on)
{
    struct sim_device *d = self;
    d->estimating = on;
    d->timing = false; /* a measurement that a fault ended is over */
    rg__sim_cold_all(&d->memory, 0);
}
static void dev_budget(void *self, double n)
{
    ((struct sim_device *)self)->budget = n;
}
static void dev_allowance(void *self, double n)
{
    struct sim_device *d = self;
    d->allowance = d->left = n;
}

static void dev_counters(void *self, struct rg_counter *out, int *n, enum rg_limiter *limiter)
{
    struct sim_device *d = self;
    rg__sim_counters(d, out, n, limiter);
}

static void dev_free(void *self)
{
    struct sim_device *d = self;
    if (!d) return;
    rg__sim_memory_close(&d->memory);
    rg__sim_totals_free(d);
    free(d);
}

enum rg_status rg_device_open_sim(const char *name, struct rg_device *out, struct rg_error *err)
{
    struct sim_device *d = rg_xcalloc(1, sizeof *d);
    enum rg_status s = rg__sim_model_load(name, &d->model, err);
    if (!s) s = rg__sim_memory_open(&d->memory, (size_t)d->model.facts.memory_bytes, err);
    if (s) {
        free(d);
        return s;
    }
    d->budget = 1e12;
    d->isa = rg__sim_isa();
    d->workers = rg__sim_workers();
    rg__sim_totals_new(d);
    *out = (struct rg_device){.self = d,
                              .simulated = true,
                              .facts = d->model.facts,
                              .accuracy = &d->model.accuracy,
                              .load = dev_load,
                              .unload = dev_unload,
                              .alloc = dev_alloc,
                              .release = dev_release,
                              .to_device = dev_to,
                              .from_device = dev_from,
                              .copy = dev_copy,
                              .fill = dev_fill,
                              .symbol = dev_symbol,
                              .launch = dev_launch,
                              .resident = dev_resident,
                              .sync = dev_sync,
                              .guards = dev_guards,
                              .hash = dev_hash,
                              .mark = dev_mark,
                              .elapsed = dev_elapsed,
                              .clock = dev_clock,
                              .flush = dev_flush,
                              .estimate_mode = dev_estimate_mode,
                              .budget = dev_budget,
                              .allowance = dev_allowance,
                              .counters = dev_counters,
                              .check = dev_check,
                              .undefined = dev_undefined,
                              .padding = dev_padding,
                              .free = dev_free};
    return RG_OK;
}
