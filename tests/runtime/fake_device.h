/* A device in host memory whose kernels are C functions by name: tests of verification, timing and plans without a GPU
 * or the interpreter. Buffers carry guard zones; the clock is set by the kernels. */
#ifndef TESTS_RUNTIME_FAKE_DEVICE_H
#define TESTS_RUNTIME_FAKE_DEVICE_H
#include "runtime/device.h"
#include <rg/buf.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_GUARD = 256, FAKE_MARKS = 1 << 15 };

struct fake_device;
typedef void (*fake_kernel_fn)(struct fake_device *d, const struct rg_launch *l, struct rg_fault *fault);
struct fake_kernel {
    const char *lowered;
    fake_kernel_fn fn;
};

struct fake_device {
    const struct fake_kernel *kernels;
    int n_buffers;
    struct {
        unsigned char *base;
        size_t bytes;
        char name[64];
    } buffers[512];
    double clock_us, marks[FAKE_MARKS];
    int launches, flushes, holds, graphs;
    bool held, capturing;
    int loads;
    uint64_t slots[RG_HASH_SLOTS];
    uint64_t jitter;
    /* With fake_clock_*: blocks of samples low_from .. low_to - 1 run at low_hz, others at FAKE_HZ; kernels are to take
     * so much longer. */
    double hz, low_hz, clock_slots[RG_CLOCK_SLOTS];
    int clocks, low_from, low_to;
    /* With fake_capture_*: launches are recorded. A module that slow_module says yes to takes slow_us longer a launch,
     * also in graphs. */
    struct fake_graph *recording;
    int room; /* modules that fit at once; 0: any number */
    int loaded;
    bool (*slow_module)(int number);
    double slow_us;
};
#define FAKE_HZ 1.98e9

struct rg_module {
    int n, number; /* by loading */
    fake_kernel_fn fn[64];
};

enum { FAKE_LAUNCHES = 64, FAKE_ARGS = 8 };
struct fake_graph {
    int n;
    struct {
        struct rg_launch l;
        const void *args[FAKE_ARGS];
        char bytes[FAKE_ARGS][16];
    } launches[FAKE_LAUNCHES];
};

static inline enum rg_status fake_load(void *self, const struct rg_blob *b, struct rg_module **out,
                                       struct rg_fault *fault, struct rg_error *err)
{
    struct fake_device *d = self;
    if (d->room && d->loaded == d->room) {
        fault->outcome = RG_OUTCOME_UNSUPPORTED;
        strcpy(fault->message, "out of memory");
        return RG_OK;
    }
    struct rg_module *m = rg_xcalloc(1, sizeof *m);
    d->loaded++;
    m->number = d->loads++;
    for (m->n = 0; m->n < b->n_kernels; m->n++)
        for (const struct fake_kernel *k = d->kernels; k->lowered; k++)
            if (!strcmp(k->lowered, b->lowered[m->n])) m->fn[m->n] = k->fn;
    *out = m;
    return RG_OK;
}
static inline void fake_unload(void *self, struct rg_module *m)
{
    ((struct fake_device *)self)->loaded--;
    free(m);
}
static inline enum rg_status fake_alloc(void *self, size_t bytes, const char *name, rg_addr *out, struct rg_error *err)
{
    struct fake_device *d = self;
    int i = d->n_buffers++;
    unsigned char *p = malloc(bytes + 2 * FAKE_GUARD);
    memset(p, 0x5C, bytes + 2 * FAKE_GUARD);
    d->buffers[i].base = p;
    d->buffers[i].bytes = bytes;
    snprintf(d->buffers[i].name, 64, "%s", name);
    *out = (rg_addr)(uintptr_t)(p + FAKE_GUARD);
    return RG_OK;
}
static inline void fake_release(void *self, rg_addr a)
{
    struct fake_device *d = self;
    for (int i = 0; i < d->n_buffers; i++)
        if ((rg_addr)(uintptr_t)d->buffers[i].base + FAKE_GUARD == a) {
            free(d->buffers[i].base);
            d->buffers[i] = d->buffers[--d->n_buffers];
            return;
        }
    abort();
}
static inline enum rg_status fake_to(void *self, rg_addr to, const void *from, size_t n, struct rg_error *err)
{
    memcpy((void *)(uintptr_t)to, from, n);
    return RG_OK;
}
static inline enum rg_status fake_from(void *self, void *to, rg_addr from, size_t n, struct rg_error *err)
{
    memcpy(to, (void *)(uintptr_t)from, n);
    return RG_OK;
}
static inline enum rg_status fake_copy(void *self, rg_addr to, rg_addr from, size_t n, struct rg_error *err)
{
    memmove((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return RG_OK;
}
static inline enum rg_status fake_fill(void *self, rg_addr to, size_t n, int bytes, uint64_t bits, struct rg_error *err)
{
    for (size_t i = 0; i < n; i++) memcpy((char *)(uintptr_t)to + i * (size_t)bytes, &bits, (size_t)bytes);
    return RG_OK;
}
static inline enum rg_status fake_symbol(void *self, struct rg_module *m, const char *name, rg_addr *out, size_t *bytes,
                                         struct rg_error *err)
{
    return rg_error_set(err, RG_INPUT, "no symbol %s", name);
}
static inline enum rg_status fake_launch(void *self, const struct rg_launch *l, struct rg_fault *fault,
                                         struct rg_error *err)
{
    struct fake_device *d = self;
    if (d->recording) {
        struct fake_graph *g = d->recording;
        if (g->n == FAKE_LAUNCHES || l->n_args > FAKE_ARGS) return rg_error_set(err, RG_BUG, "a long graph");
        g->launches[g->n].l = *l;
        for (int i = 0; i < l->n_args; i++) {
            memcpy(g->launches[g->n].bytes[i], l->args[i], l->arg_bytes[i]);
            g->launches[g->n].args[i] = g->launches[g->n].bytes[i];
        }
        g->launches[g->n].l.args = g->launches[g->n].args;
        g->n++;
        return RG_OK;
    }
    d->launches++;
    if (d->slow_module && d->slow_module(l->module->number)) d->clock_us += d->slow_us;
    if (l->module->fn[l->kernel]) l->module->fn[l->kernel](d, l, fault);
    return RG_OK;
}
static inline enum rg_status fake_sync(void *self, struct rg_fault *fault, struct rg_error *err)
{
    return ((struct fake_device *)self)->held ? rg_error_set(err, RG_BUG, "sync while held: a deadlock") : RG_OK;
}
static inline enum rg_status fake_guards(void *self, struct rg_fault *fault, struct rg_error *err)
{
    struct fake_device *d = self;
    for (int i = 0; i < d->n_buffers; i++)
        for (size_t k = 0; k < FAKE_GUARD; k++)
            if (d->buffers[i].base[k] != 0x5C || d->buffers[i].base[FAKE_GUARD + d->buffers[i].bytes + k] != 0x5C) {
                fault->outcome = RG_OUTCOME_BOUNDS;
                snprintf(fault->message, sizeof fault->message, "a write beside '%s'", d->buffers[i].name);
                memset(d->buffers[i].base, 0x5C, FAKE_GUARD);
                memset(d->buffers[i].base + FAKE_GUARD + d->buffers[i].bytes, 0x5C, FAKE_GUARD);
                return RG_OK;
            }
    return RG_OK;
}
static inline enum rg_status fake_hash(void *self, rg_addr a, size_t n, uint64_t *out, struct rg_error *err)
{
    *out = rg_hash64((void *)(uintptr_t)a, n, 1);
    return RG_OK;
}
static inline enum rg_status fake_hash_queue(void *self, rg_addr a, size_t n, int slot, struct rg_error *err)
{
    struct fake_device *d = self;
    if (slot < 0 || slot >= RG_HASH_SLOTS) return rg_error_set(err, RG_BUG, "slot %d", slot);
    return fake_hash(self, a, n, &d->slots[slot], err);
}
static inline enum rg_status fake_hash_read(void *self, uint64_t *out, int n, struct rg_error *err)
{
    memcpy(out, ((struct fake_device *)self)->slots, (size_t)n * sizeof *out);
    return RG_OK;
}
static inline enum rg_status fake_clock_queue(void *self, int slot, struct rg_error *err)
{
    struct fake_device *d = self;
    int block = d->clocks++ / 2;
    d->hz = block >= d->low_from && block < d->low_to ? d->low_hz : FAKE_HZ;
    d->clock_slots[slot] = d->hz * (1 + 1e-3 * (double)(rg_mix64(d->jitter++) % 8));
    return RG_OK;
}
static inline enum rg_status fake_clock_read(void *self, double *hz, int n, struct rg_error *err)
{
    memcpy(hz, ((struct fake_device *)self)->clock_slots, (size_t)n * sizeof *hz);
    return RG_OK;
}
static inline enum rg_status fake_mark(void *self, int i, struct rg_error *err)
{
    struct fake_device *d = self;
    if (i >= FAKE_MARKS) return rg_error_set(err, RG_BUG, "mark %d", i);
    d->marks[i] = d->clock_us += 1.0; /* an empty pair measures 1 us */
    return RG_OK;
}
static inline enum rg_status fake_elapsed(void *self, int from, int to, double *us, struct rg_fault *f,
                                          struct rg_error *err)
{
    struct fake_device *d = self;
    *us = d->marks[to] - d->marks[from];
    return RG_OK;
}
static inline enum rg_status fake_flush(void *self, struct rg_error *err)
{
    ((struct fake_device *)self)->flushes++;
    return RG_OK;
}
static inline enum rg_status fake_hold(void *self, struct rg_error *err)
{
    struct fake_device *d = self;
    d->held = true;
    d->holds++;
    return RG_OK;
}
static inline enum rg_status fake_release_hold(void *self, struct rg_error *err)
{
    ((struct fake_device *)self)->held = false;
    return RG_OK;
}
static inline enum rg_status fake_capture_begin(void *self, struct rg_error *err)
{
    ((struct fake_device *)self)->recording = rg_xcalloc(1, sizeof(struct fake_graph));
    return RG_OK;
}
static inline enum rg_status fake_capture_end(void *self, void **graph, struct rg_error *err)
{
    struct fake_device *d = self;
    *graph = d->recording;
    d->recording = NULL;
    d->graphs++;
    return RG_OK;
}
static inline enum rg_status fake_graph_launch(void *self, void *graph, struct rg_error *err)
{
    struct fake_graph *g = graph;
    struct rg_fault f = {RG_OUTCOME_OK, ""};
    for (int i = 0; i < g->n; i++) fake_launch(self, &g->launches[i].l, &f, err);
    return RG_OK;
}
static inline enum rg_status fake_graph_upload(void *self, void *graph, struct rg_error *err)
{
    return RG_OK;
}
static inline void fake_graph_free(void *self, void *graph)
{
    ((struct fake_device *)self)->graphs--;
    free(graph);
}
static inline void fake_with_graphs(struct rg_device *out)
{
    out->capture_begin = fake_capture_begin;
    out->capture_end = fake_capture_end;
    out->graph_launch = fake_graph_launch;
    out->graph_upload = fake_graph_upload;
    out->graph_free = fake_graph_free;
}
static inline void fake_free(void *self)
{
    struct fake_device *d = self;
    while (d->n_buffers) fake_release(d, (rg_addr)(uintptr_t)d->buffers[0].base + FAKE_GUARD);
    free(d);
}
/* The argument `i` as T. */
#define FAKE_ARG(l, i, T) (*(const T *)(l)->args[i])

static inline struct fake_device *fake_open(struct rg_device *out, const struct fake_kernel *kernels, bool simulated)
{
    struct fake_device *d = rg_xcalloc(1, sizeof *d);
    d->kernels = kernels;
    *out = (struct rg_device){.self = d,
                              .simulated = simulated,
                              .load = fake_load,
                              .unload = fake_unload,
                              .alloc = fake_alloc,
                              .release = fake_release,
                              .to_device = fake_to,
                              .from_device = fake_from,
                              .copy = fake_copy,
                              .fill = fake_fill,
                              .symbol = fake_symbol,
                              .launch = fake_launch,
                              .sync = fake_sync,
                              .guards = fake_guards,
                              .hash = fake_hash,
                              .hash_queue = fake_hash_queue,
                              .hash_read = fake_hash_read,
                              .mark = fake_mark,
                              .elapsed = fake_elapsed,
                              .flush = fake_flush,
                              .hold = fake_hold,
                              .release_hold = fake_release_hold,
                              .free = fake_free};
    out->facts = (struct rg_device_facts){.name = "sim:fake",
                                          .arch = "sm_90",
                                          .sms = 132,
                                          .max_threads_per_block = 1024,
                                          .warp = 32,
                                          .shared_per_block = 49152,
                                          .shared_per_sm = 233472,
                                          .regs_per_sm = 65536,
                                          .max_threads_per_sm = 2048,
                                          .max_blocks_per_sm = 32,
                                          .dram_bytes_s = 4.8e12,
                                          .copy_bytes_s = 4.28e12,
                                          .fp32_flop_s = 6e13,
                                          .fp64_flop_s = 3e13,
                                          .memory_bytes = INT64_C(1) << 34};
    return d;
}
#endif
