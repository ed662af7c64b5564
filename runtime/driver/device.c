/* A CUDA GPU behind struct rg_device: modules, guarded buffers, launches. */
#include "runtime/driver/cuda_device.h"
#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char helpers_ptx[] =
#include "runtime/driver/helpers_ptx.inc"
#include "runtime/driver/helpers_rates_ptx.inc"
    ;

enum rg_status rg__cuda_check(struct cuda_device *d, CUresult e, const char *call, struct rg_error *err)
{
    if (e == CUDA_SUCCESS) return RG_OK;
    char text[256];
    return rg_error_set(err, e == CUDA_ERROR_OUT_OF_MEMORY ? RG_LIMIT : RG_UNAVAILABLE, "%s: %s", call,
                        rg__cuda_error_text(d->api, e, text, sizeof text));
}

enum rg_status rg__cuda_fault(struct cuda_device *d, CUresult e, const char *call, struct rg_fault *fault,
                              struct rg_error *err)
{
    enum rg_outcome o;
    switch (e) {
    case CUDA_SUCCESS:
        return RG_OK;
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
        o = RG_OUTCOME_BOUNDS;
        break;
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_LAUNCH_FAILED:
        o = RG_OUTCOME_CRASH;
        break;
    case CUDA_ERROR_LAUNCH_TIMEOUT:
        o = RG_OUTCOME_TIMEOUT;
        break;
    case CUDA_ERROR_INVALID_VALUE:
        o = RG_OUTCOME_PLAN;
        break;
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
        o = RG_OUTCOME_UNSUPPORTED;
        break;
    default:
        return rg__cuda_check(d, e, call, err);
    }
    char text[256];
    fault->outcome = o;
    snprintf(fault->message, sizeof fault->message, "%s: %s", call, rg__cuda_error_text(d->api, e, text, sizeof text));
    return RG_OK;
}

/* Functions that call themselves need more than CUDA's 1 KiB; the driver sets the memory aside for all threads at once,
 * so only for them. */
static void make_stack(struct cuda_device *d)
{
    if (!d->api->context_limit) return;
    for (size_t bytes = d->most_stack; bytes > 1024 && !d->stack; bytes /= 2)
        if (d->api->context_limit(CU_LIMIT_STACK_SIZE, bytes) == CUDA_SUCCESS) d->stack = bytes;
}

static enum rg_status cuda_load(void *self, const struct rg_blob *blob, struct rg_module **out, struct rg_fault *fault,
                                struct rg_error *err)
{
    struct cuda_device *d = self;
    *out = NULL;
    CUmodule m;
    if (!d->stack && blob->ptx && rg_ptx_recursive(blob->ptx, blob->ptx_len)) make_stack(d);
    CUresult e = d->api->module_load(&m, blob->cubin);
    if (e != CUDA_SUCCESS) return rg__cuda_fault(d, e, "cuModuleLoadData", fault, err);
    struct rg_module *r = rg_xcalloc(1, sizeof *r);
    r->module = m;
    r->n = blob->n_kernels;
    r->functions = rg_xcalloc((size_t)r->n, sizeof *r->functions);
    r->max_dynamic = rg_xcalloc((size_t)r->n, sizeof *r->max_dynamic);
    for (int i = 0; i < r->n; i++) {
        e = d->api->module_function(&r->functions[i], m, blob->lowered[i]);
        r->max_dynamic[i] = 48 * 1024;
        if (e == CUDA_SUCCESS) continue;
        d->api->module_unload(m);
        free(r->functions);
        free(r->max_dynamic);
        free(r);
        return rg__cuda_check(d, e, "cuModuleGetFunction", err);
    }
    *out = r;
    return RG_OK;
}

static void cuda_unload(void *self, struct rg_module *m)
{
    struct cuda_device *d = self;
    if (!m) return;
    d->api->module_unload(m->module);
    free(m->functions);
    free(m->max_dynamic);
    free(m);
}

static enum rg_status cuda_alloc(void *self, size_t bytes, const char *name, rg_addr *out, struct rg_error *err)
{
    struct cuda_device *d = self;
    /* the zone behind starts on a word */
    size_t padded = (bytes + 3) & ~(size_t)3;
    CUdeviceptr base;
    enum rg_status s = rg__cuda_check(d, d->api->alloc(&base, padded + 2 * d->zone), "cuMemAlloc", err);
    if (s != RG_OK) {
        rg_error_prefix(err, "%zu bytes for '%s'", bytes, name);
        return s;
    }
    if (d->zone)
        s = rg__cuda_check(d, d->api->set32(base, GUARD_PATTERN, d->zone / 4, d->stream), "cuMemsetD32Async", err);
    if (s == RG_OK && d->zone)
        s = rg__cuda_check(d, d->api->set32(base + d->zone + padded, GUARD_PATTERN, d->zone / 4, d->stream),
                           "cuMemsetD32Async", err);
    /* the bytes between the end of odd-sized data and that word are not watched */
    if (s != RG_OK) {
        d->api->free_(base);
        return s;
    }
    RG_GROW(d->buffers, d->n_buffers, d->cap_buffers);
    struct cuda_buffer *b = &d->buffers[d->n_buffers++];
    b->base = base;
    b->bytes = padded;
    snprintf(b->name, sizeof b->name, "%s", name);
    *out = base + d->zone;
    return RG_OK;
}

static void cuda_release(void *self, rg_addr a)
{
    struct cuda_device *d = self;
    for (int i = 0; i < d->n_buffers; i++)
        if (d->buffers[i].base + d->zone == a) {
            d->api->free_(d->buffers[i].base);
            d->buffers[i] = d->buffers[--d->n_buffers];
            return;
        }
}

static enum rg_status cuda_to_device(void *self, rg_addr to, const void *from, size_t bytes, struct rg_error *err)
{
    struct cuda_device *d = self;
    return rg__cuda_check(d, d->api->to_device(to, from, bytes, d->stream), "cuMemcpyHtoDAsync", err);
}

static enum rg_status cuda_from_device(void *self, void *to, rg_addr from, size_t bytes, struct rg_error *err)
{
    struct cuda_device *d = self;
    enum rg_status s = rg__cuda_check(d, d->api->from_device(to, from, bytes, d->stream), "cuMemcpyDtoHAsync", err);
    return s == RG_OK ? rg__cuda_check(d, d->api->stream_sync(d->stream), "cuStreamSynchronize", err) : s;
}

static enum rg_status cuda_copy(void *self, rg_addr to, rg_addr from, size_t bytes, struct rg_error *err)
{
    struct cuda_device *d = self;
    return rg__cuda_check(d, d->api->copy(to, from, bytes, d->stream), "cuMemcpyDtoDAsync", err);
}

static unsigned blocks_for(const struct cuda_device *d, uint64_t n)
{
    uint64_t want = (n + 255) / 256, most = (uint64_t)d->sms * 8;
    return (unsigned)(want < 1 ? 1 : want < most ? want : most);
}

static enum rg_status cuda_fill(void *self, rg_addr to, size_t n, int elem_bytes, uint64_t bits, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (!n) return RG_OK;
    switch (elem_bytes) {
    case 1:
        return rg__cuda_check(d, d->api->set8(to, (unsigned char)bits, n, d->stream), "cuMemsetD8Async", err);
    case 2:
        return rg__cuda_check(d, d->api->set16(to, (unsigned short)bits, n, d->stream), "cuMemsetD16Async", err);
    case 4:
        return rg__cuda_check(d, d->api->set32(to, (unsigned)bits, n, d->stream), "cuMemsetD32Async", err);
    case 8:
        break;
    default:
        return rg_error_set(err, RG_BUG, "fill of %d-byte elements", elem_bytes);
    }
    if ((unsigned)bits == bits >> 32)
        return rg__cuda_check(d, d->api->set32(to, (unsigned)bits, 2 * n, d->stream), "cuMemsetD32Async", err);
    uint64_t count = n;
    void *args[] = {&to, &count, &bits};
    return rg__cuda_check(d, d->api->launch(d->fill64, blocks_for(d, n), 1, 1, 256, 1, 1, 0, d->stream, args, NULL),
                          "fill", err);
}

static enum rg_status cuda_symbol(void *self, struct rg_module *m, const char *name, rg_addr *out, size_t *bytes,
                                  struct rg_error *err)
{
    struct cuda_device *d = self;
    CUdeviceptr p;
    CUresult e = d->api->module_global(&p, bytes, m->module, name);
    if (e == CUDA_ERROR_NOT_FOUND) return rg_error_set(err, RG_INPUT, "the module has no symbol '%s'", name);
    *out = p;
    return rg__cuda_check(d, e, "cuModuleGetGlobal", err);
}

static enum rg_status cuda_resident(void *self, const struct rg_module *m, int kernel, int threads,
                                    int64_t shared_bytes, int64_t *blocks, struct rg_error *err)
{
    struct cuda_device *d = self;
    int n = 0;
    enum rg_status s = rg__cuda_check(d, d->api->occupancy(&n, m->functions[kernel], threads, (size_t)shared_bytes),
                                      "cuOccupancyMaxActiveBlocksPerMultiprocessor", err);
    *blocks = (int64_t)n * d->sms;
    return s;
}

static CUresult launch_with_attributes(struct cuda_device *d, CUfunction f, const struct rg_launch *l, void **params)
{
    CUlaunchAttribute a[2] = {0};
    CUlaunchConfig c = {0};
    if (l->cooperative) {
        a[c.numAttrs].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        a[c.numAttrs++].value.cooperative = 1;
    }
    if (l->cluster[0] > 0) {
        a[c.numAttrs].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        a[c.numAttrs].value.clusterDim.x = (unsigned)l->cluster[0];
        a[c.numAttrs].value.clusterDim.y = (unsigned)l->cluster[1];
        a[c.numAttrs++].value.clusterDim.z = (unsigned)l->cluster[2];
    }
    c.gridDimX = (unsigned)l->grid[0];
    c.gridDimY = (unsigned)l->grid[1];
    c.gridDimZ = (unsigned)l->grid[2];
    c.blockDimX = (unsigned)l->block[0];
    c.blockDimY = (unsigned)l->block[1];
    c.blockDimZ = (unsigned)l->block[2];
    c.sharedMemBytes = (unsigned)l->shared_bytes;
    c.hStream = d->stream;
    c.attrs = a;
    return d->api->launch_ex(&c, f, params, NULL);
}

static enum rg_status cuda_launch(void *self, const struct rg_launch *l, struct rg_fault *fault, struct rg_error *err)
{
    struct cuda_device *d = self;
    CUfunction f = l->module->functions[l->kernel];
    if (l->shared_bytes > l->module->max_dynamic[l->kernel]) {
        CUresult e = d->api->function_set(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)l->shared_bytes);
        if (e != CUDA_SUCCESS) {
            fault->outcome = RG_OUTCOME_UNSUPPORTED;
            snprintf(fault->message, sizeof fault->message,
                     "%lld bytes of dynamic shared memory are more than a block may have", (long long)l->shared_bytes);
            return RG_OK;
        }
        l->module->max_dynamic[l->kernel] = (int)l->shared_bytes;
    }
    void **params = (void **)(uintptr_t)l->args; /* the driver's signature lacks a const */
    CUresult e;
    if ((l->cooperative || l->cluster[0] > 0) && d->api->launch_ex) {
        e = launch_with_attributes(d, f, l, params);
    } else if (l->cluster[0] > 0) {
        fault->outcome = RG_OUTCOME_UNSUPPORTED;
        snprintf(fault->message, sizeof fault->message, "this driver has no clusters");
        return RG_OK;
    } else if (l->cooperative) {
        e = d->api->launch_cooperative(f, (unsigned)l->grid[0], (unsigned)l->grid[1], (unsigned)l->grid[2],
                                       (unsigned)l->block[0], (unsigned)l->block[1], (unsigned)l->block[2],
                                       (unsigned)l->shared_bytes, d->stream, params);
    } else {
        e = d->api->launch(f, (unsigned)l->grid[0], (unsigned)l->grid[1], (unsigned)l->grid[2], (unsigned)l->block[0],
                           (unsigned)l->block[1], (unsigned)l->block[2], (unsigned)l->shared_bytes, d->stream, params,
                           NULL);
    }
    return rg__cuda_fault(d, e, "launch", fault, err);
}

static enum rg_status cuda_sync(void *self, struct rg_fault *fault, struct rg_error *err)
{
    struct cuda_device *d = self;
    return rg__cuda_fault(d, d->api->stream_sync(d->stream), "kernel", fault, err);
}

/* Zone list and results share the 64 KiB scratch, so buffers are looked at in rounds. */
enum { ZONES_A_ROUND = 4096 };

static enum rg_status cuda_guards(void *self, struct rg_fault *fault, struct rg_error *err)
{
    struct cuda_device *d = self;
    static uint64_t zones[ZONES_A_ROUND];
    static unsigned bad[ZONES_A_ROUND];
    for (int first = 0; d->zone && first < d->n_buffers; first += ZONES_A_ROUND / 2) {
        int n = d->n_buffers - first < ZONES_A_ROUND / 2 ? d->n_buffers - first : ZONES_A_ROUND / 2;
        for (int i = 0; i < n; i++) {
            const struct cuda_buffer *b = &d->buffers[first + i];
            zones[2 * i] = b->base;
            zones[2 * i + 1] = b->base + d->zone + b->bytes;
        }
        CUdeviceptr list = d->scratch, results = d->scratch + sizeof zones;
        unsigned words = GUARD_BYTES / 4, pattern = GUARD_PATTERN, count = 2 * (unsigned)n;
        void *args[] = {&list, &words, &pattern, &results};
        enum rg_status s = cuda_to_device(d, list, zones, count * sizeof zones[0], err);
        if (s == RG_OK)
            s = rg__cuda_check(d, d->api->set32(results, 0xffffffffu, count, d->stream), "cuMemsetD32Async", err);
        if (s == RG_OK)
            s = rg__cuda_check(d, d->api->launch(d->guard, count, 1, 1, 256, 1, 1, 0, d->stream, args, NULL),
                               "guard check", err);
        if (s == RG_OK) s = cuda_from_device(d, bad, results, count * sizeof bad[0], err);
        if (s != RG_OK) return s;
        for (unsigned i = 0; i < count; i++) {
            if (bad[i] == 0xffffffffu) continue;
            struct cuda_buffer *b = &d->buffers[first + (int)i / 2];
            fault->outcome = RG_OUTCOME_BOUNDS;
            if (i % 2)
                snprintf(fault->message, sizeof fault->message, "buffer '%s' was written %u bytes behind its end",
                         b->name, 4 * bad[i]);
            else
                snprintf(fault->message, sizeof fault->message,
                         "buffer '%s' was written up to %u bytes before its start", b->name,
                         (unsigned)GUARD_BYTES - 4 * bad[i]);
            /* whole again for the next candidate */
            return rg__cuda_check(d, d->api->set32(zones[i], GUARD_PATTERN, GUARD_BYTES / 4, d->stream),
                                  "cuMemsetD32Async", err);
        }
    }
    return RG_OK;
}

static enum rg_status queue_hash(struct cuda_device *d, rg_addr a, size_t bytes, CUdeviceptr sum, struct rg_error *err)
{
    uint64_t n = bytes;
    void *args[] = {&a, &n, &sum};
    enum rg_status s = rg__cuda_check(d, d->api->set32(sum, 0, 2, d->stream), "cuMemsetD32Async", err);
    if (s != RG_OK) return s;
    return rg__cuda_check(d, d->api->launch(d->hash, blocks_for(d, n / 8), 1, 1, 256, 1, 1, 0, d->stream, args, NULL),
                          "hash", err);
}

static enum rg_status cuda_hash(void *self, rg_addr a, size_t bytes, uint64_t *out, struct rg_error *err)
{
    struct cuda_device *d = self;
    enum rg_status s = queue_hash(d, a, bytes, d->scratch, err);
    return s == RG_OK ? cuda_from_device(d, out, d->scratch, sizeof *out, err) : s;
}

static enum rg_status cuda_hash_queue(void *self, rg_addr a, size_t bytes, int slot, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (slot < 0 || slot >= RG_HASH_SLOTS) return rg_error_set(err, RG_BUG, "hash slot %d", slot);
    return queue_hash(d, a, bytes, d->slots + (CUdeviceptr)slot * sizeof(uint64_t), err);
}

static enum rg_status cuda_hash_read(void *self, uint64_t *out, int n, struct rg_error *err)
{
    struct cuda_device *d = self;
    return cuda_from_device(d, out, d->slots, (size_t)n * sizeof *out, err);
}

static enum rg_status cuda_veil(void *self, rg_addr a, int elem_bytes, int64_t n, uint64_t key, struct rg_error *err)
{
    struct cuda_device *d = self;
    uint64_t count = (uint64_t)n;
    void *args[] = {&a, &count, &elem_bytes, &key};
    return rg__cuda_check(d, d->api->launch(d->veil, blocks_for(d, count), 1, 1, 256, 1, 1, 0, d->stream, args, NULL),
                          "veil", err);
}

static enum rg_status cuda_compare(void *self, const struct rg_device_compare *c, int64_t *odd, struct rg_error *err)
{
    struct cuda_device *d = self;
    uint64_t n = (uint64_t)c->n, found = 0;
    struct rg_device_compare v = *c;
    const struct rg_bounds *b = &v.bounds;
    void *args[] = {
        &v.got,           &v.got_bytes,     &v.veiled,         &v.ref_bytes,     &v.key,     &n, (void *)&b->slack,
        (void *)&b->rtol, (void *)&b->base, (void *)&b->fixed, (void *)&b->ulps, &d->scratch};
    enum rg_status s = rg__cuda_check(d, d->api->set32(d->scratch, 0, 2, d->stream), "cuMemsetD32Async", err);
    if (s == RG_OK)
        s = rg__cuda_check(d, d->api->launch(d->compare, blocks_for(d, n), 1, 1, 256, 1, 1, 0, d->stream, args, NULL),
                           "compare", err);
    if (s == RG_OK) s = cuda_from_device(d, &found, d->scratch, sizeof found, err);
    *odd = (int64_t)found;
    return s;
}

static void cuda_free(void *self)
{
    struct cuda_device *d = self;
    if (d->context) {
        rg__cuda_timing_release(d);
        rg__cuda_clock_release(d);
        while (d->n_buffers) cuda_release(d, d->buffers[0].base + d->zone);
        if (d->scratch) d->api->free_(d->scratch);
        if (d->slots) d->api->free_(d->slots);
        if (d->helpers) d->api->module_unload(d->helpers);
        if (d->stream) d->api->stream_destroy(d->stream);
        d->api->context_release(d->device);
    }
    free(d->buffers);
    free(d);
}

static enum rg_status open_helpers(struct cuda_device *d, struct rg_error *err)
{
    enum rg_status s =
        rg__cuda_check(d, d->api->module_load(&d->helpers, helpers_ptx), "our own kernels: cuModuleLoadData", err);
    const struct {
        CUfunction *f;
        const char *name;
    } wanted[] = {{&d->hash, "rg_hash"},   {&d->veil, "rg_veil"},     {&d->compare, "rg_compare"},
                  {&d->guard, "rg_guard"}, {&d->fill64, "rg_fill64"}, {&d->flush, "rg_flush"},
                  {&d->hold, "rg_hold"},   {&d->clock, "rg_clock"},   {&d->fma32, "rg_fma32"},
                  {&d->fma64, "rg_fma64"}};
    for (size_t i = 0; s == RG_OK && i < sizeof wanted / sizeof wanted[0]; i++)
        s = rg__cuda_check(d, d->api->module_function(wanted[i].f, d->helpers, wanted[i].name), wanted[i].name, err);
    if (s == RG_OK) s = rg__cuda_check(d, d->api->alloc(&d->scratch, 65536), "cuMemAlloc", err);
    return s == RG_OK
               ? rg__cuda_check(d, d->api->alloc(&d->slots, (RG_HASH_SLOTS + 2 * RG_CLOCK_SLOTS) * sizeof(uint64_t)),
                                "cuMemAlloc", err)
               : s;
}

void rg_device_cuda_bare(struct rg_device *d)
{
    ((struct cuda_device *)d->self)->zone = 0;
}

enum rg_status rg_device_open_cuda(int ordinal, struct rg_device *out, struct rg_error *err)
{
    const struct cuda_api *api;
    enum rg_status s = rg__cuda_api_open(&api, err);
    if (s != RG_OK) return s;
    int n = 0;
    if (api->device_count(&n) != CUDA_SUCCESS || ordinal < 0 || ordinal >= n)
        return rg_error_set(err, RG_UNAVAILABLE, "no device cuda:%d: the driver shows %d", ordinal, n);
    struct cuda_device *d = rg_xcalloc(1, sizeof *d);
    d->api = api;
    d->zone = GUARD_BYTES;
    s = rg__cuda_check(d, api->device_get(&d->device, ordinal), "cuDeviceGet", err);
    if (s == RG_OK) s = rg__cuda_check(d, api->context_retain(&d->context, d->device), "cuDevicePrimaryCtxRetain", err);
    if (s == RG_OK) s = rg__cuda_check(d, api->context_current(d->context), "cuCtxSetCurrent", err);
    if (s == RG_OK)
        s = rg__cuda_check(d, api->stream_create(&d->stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate", err);
    if (s == RG_OK) s = open_helpers(d, err);
    *out = (struct rg_device){
        .self = d,
        .load = cuda_load,
        .unload = cuda_unload,
        .alloc = cuda_alloc,
        .release = cuda_release,
        .to_device = cuda_to_device,
        .from_device = cuda_from_device,
        .copy = cuda_copy,
        .fill = cuda_fill,
        .symbol = cuda_symbol,
        .launch = cuda_launch,
        .resident = cuda_resident,
        .sync = cuda_sync,
        .guards = cuda_guards,
        .hash = cuda_hash,
        .hash_queue = cuda_hash_queue,
        .hash_read = cuda_hash_read,
        .veil = cuda_veil,
        .compare = cuda_compare,
        .free = cuda_free,
    };
    if (s == RG_OK) s = rg__cuda_facts(d, &out->facts, err);
    if (s == RG_OK) d->most_stack = (size_t)rg_device_stack(&out->facts);
    rg__cuda_timing_ops(out);
    if (s == RG_OK) rg__cuda_clock_ops(out);
    if (s != RG_OK) {
        cuda_free(d);
        memset(out, 0, sizeof *out);
    }
    return s;
}
