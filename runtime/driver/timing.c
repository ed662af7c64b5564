/* Marks, the L2 flush, the kernel that holds the stream, and graphs. */
#include "runtime/driver/cuda_device.h"
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

static enum rg_status cuda_mark(void *self, int index, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (index < 0 || index >= N_MARKS_MAX) return rg_error_set(err, RG_BUG, "mark %d", index);
    while (d->n_marks <= index) {
        RG_GROW(d->marks, d->n_marks, d->cap_marks);
        enum rg_status s =
            rg__cuda_check(d, d->api->event_create(&d->marks[d->n_marks], CU_EVENT_DEFAULT), "cuEventCreate", err);
        if (s != RG_OK) return s;
        d->n_marks++;
    }
    return rg__cuda_check(d, d->api->event_record(d->marks[index], d->stream), "cuEventRecord", err);
}

static enum rg_status cuda_elapsed(void *self, int from, int to, double *us, struct rg_fault *fault,
                                   struct rg_error *err)
{
    struct cuda_device *d = self;
    float ms = 0;
    *us = 0;
    CUresult e = d->api->event_sync(d->marks[to]);
    if (e == CUDA_SUCCESS)
        e = (d->api->event_elapsed_2 ? d->api->event_elapsed_2 : d->api->event_elapsed_1)(&ms, d->marks[from],
                                                                                          d->marks[to]);
    *us = (double)ms * 1e3;
    return rg__cuda_fault(d, e, "kernel", fault, err);
}

static enum rg_status cuda_flush(void *self, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (!d->flush_buffer) {
        enum rg_status s =
            rg__cuda_check(d, d->api->alloc(&d->flush_buffer, d->flush_bytes), "cuMemAlloc for the L2 flush", err);
        if (s == RG_OK)
            s = rg__cuda_check(d, d->api->set32(d->flush_buffer, 0, d->flush_bytes / 4, d->stream), "cuMemsetD32Async",
                               err);
        if (s != RG_OK) return s;
    }
    uint64_t n = d->flush_bytes / 16;
    CUdeviceptr sink = d->scratch;
    void *args[] = {&d->flush_buffer, &n, &sink};
    return rg__cuda_check(d, d->api->launch(d->flush, (unsigned)d->sms * 8, 1, 1, 256, 1, 1, 0, d->stream, args, NULL),
                          "flush", err);
}

static enum rg_status cuda_hold(void *self, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (!d->flag) {
        void *host;
        enum rg_status s =
            rg__cuda_check(d, d->api->host_alloc(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc", err);
        if (s == RG_OK)
            s = rg__cuda_check(d, d->api->host_pointer(&d->flag_device, host, 0), "cuMemHostGetDevicePointer", err);
        if (s != RG_OK) return s;
        d->flag = host;
    }
    *d->flag = 0;
    uint64_t limit_ns = 2000000000u;
    void *args[] = {&d->flag_device, &limit_ns};
    return rg__cuda_check(d, d->api->launch(d->hold, 1, 1, 1, 1, 1, 1, 0, d->stream, args, NULL), "hold", err);
}

static enum rg_status cuda_release_hold(void *self, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (d->flag) *d->flag = 1;
    __sync_synchronize();
    return RG_OK;
}

static enum rg_status cuda_capture_begin(void *self, struct rg_error *err)
{
    struct cuda_device *d = self;
    return rg__cuda_check(d, d->api->capture_begin(d->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                          "cuStreamBeginCapture", err);
}

static enum rg_status cuda_capture_end(void *self, void **graph, struct rg_error *err)
{
    struct cuda_device *d = self;
    CUgraph g = NULL;
    CUgraphExec exec = NULL;
    *graph = NULL;
    enum rg_status s = rg__cuda_check(d, d->api->capture_end(d->stream, &g), "cuStreamEndCapture", err);
    if (s != RG_OK || !g) return s;
    s = rg__cuda_check(d, d->api->graph_instantiate(&exec, g, 0), "cuGraphInstantiate", err);
    d->api->graph_destroy(g);
    *graph = exec;
    return s;
}

static enum rg_status cuda_graph_launch(void *self, void *graph, struct rg_error *err)
{
    struct cuda_device *d = self;
    return rg__cuda_check(d, d->api->graph_launch(graph, d->stream), "cuGraphLaunch", err);
}

/* Uploaded here, no launch pays for it; a driver without the call (before 11.1) gets a launch. */
static enum rg_status cuda_graph_upload(void *self, void *graph, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (!d->api->graph_upload) return cuda_graph_launch(self, graph, err);
    return rg__cuda_check(d, d->api->graph_upload(graph, d->stream), "cuGraphUpload", err);
}

static void cuda_graph_free(void *self, void *graph)
{
    struct cuda_device *d = self;
    if (graph) d->api->graph_exec_destroy(graph);
}

void rg__cuda_timing_ops(struct rg_device *out)
{
    struct cuda_device *d = out->self;
    d->flush_bytes = ((size_t)out->facts.l2_bytes * 3 + (1 << 20)) & ~(size_t)15;
    out->mark = cuda_mark;
    out->elapsed = cuda_elapsed;
    out->flush = cuda_flush;
    out->hold = cuda_hold;
    out->release_hold = cuda_release_hold;
    if (!d->api->capture_begin || !d->api->capture_end || !d->api->graph_instantiate || !d->api->graph_launch ||
        !d->api->graph_destroy || !d->api->graph_exec_destroy)
        return;
    out->capture_begin = cuda_capture_begin;
    out->capture_end = cuda_capture_end;
    out->graph_launch = cuda_graph_launch;
    out->graph_upload = cuda_graph_upload;
    out->graph_free = cuda_graph_free;
}

void rg__cuda_timing_release(struct cuda_device *d)
{
    for (int i = 0; i < d->n_marks; i++) d->api->event_destroy(d->marks[i]);
    free(d->marks);
    if (d->flush_buffer) d->api->free_(d->flush_buffer);
    if (d->flag) d->api->host_free((void *)(uintptr_t)d->flag);
}
