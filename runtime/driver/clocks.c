/* Clocks: counted on the device itself, and as NVML tells them where it is there. */
#include "runtime/driver/cuda_device.h"
#include <dlfcn.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t span_ns = 50000;

/* Behind the sums of hashes. */
static CUdeviceptr slot_address(const struct cuda_device *d, int slot)
{
    return d->slots + (CUdeviceptr)(RG_HASH_SLOTS + 2 * slot) * sizeof(uint64_t);
}

static enum rg_status clock_queue(void *self, int slot, struct rg_error *err)
{
    struct cuda_device *d = self;
    if (slot < 0 || slot >= RG_CLOCK_SLOTS) return rg_error_set(err, RG_BUG, "clock slot %d", slot);
    CUdeviceptr at = slot_address(d, slot);
    uint64_t span = span_ns;
    void *args[] = {&at, &span};
    return rg__cuda_check(d, d->api->launch(d->clock, 1, 1, 1, 1, 1, 1, 0, d->stream, args, NULL), "clock", err);
}

static enum rg_status clock_read(void *self, double *hz, int n, struct rg_error *err)
{
    struct cuda_device *d = self;
    uint64_t v[2 * RG_CLOCK_SLOTS];
    memset(hz, 0, (size_t)n * sizeof *hz);
    enum rg_status s = rg__cuda_check(
        d, d->api->from_device(v, slot_address(d, 0), (size_t)n * 2 * sizeof *v, d->stream), "cuMemcpyDtoHAsync", err);
    if (s == RG_OK) s = rg__cuda_check(d, d->api->stream_sync(d->stream), "cuStreamSynchronize", err);
    for (int i = 0; i < n && s == RG_OK; i++) /* a timer that ticks too seldom to count by is as good as none */
        if (v[2 * i + 1] >= span_ns && v[2 * i + 1] < 4 * span_ns)
            hz[i] = (double)v[2 * i] * 1e9 / (double)v[2 * i + 1];
    return s;
}

/* NVML's C interface as its reference manual gives it; its header comes with the toolkit's own package only. */
typedef struct nvml_device *nvml_handle;
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 };
static const unsigned long long idle_reason = 1;

struct nvml {
    void *library;
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_bus)(const char *bus, nvml_handle *out);
    int (*clock)(nvml_handle d, int type, unsigned *mhz);
    int (*clock_max)(nvml_handle d, int type, unsigned *mhz);
    int (*reasons)(nvml_handle d, unsigned long long *bits);
    nvml_handle device;
};

static double asked(const struct nvml *n, int (*ask)(nvml_handle, int, unsigned *), int type)
{
    unsigned mhz = 0;
    return ask && ask(n->device, type, &mhz) == 0 ? mhz * 1e6 : 0;
}

static bool clocks(void *self, struct rg_clocks *out)
{
    const struct cuda_device *d = self;
    const struct nvml *n = d->nvml;
    unsigned long long bits = 0;
    *out = (struct rg_clocks){.sm_hz = asked(n, n->clock, NVML_CLOCK_SM),
                              .memory_hz = asked(n, n->clock, NVML_CLOCK_MEM),
                              .sm_max_hz = asked(n, n->clock_max, NVML_CLOCK_SM),
                              .memory_max_hz = asked(n, n->clock_max, NVML_CLOCK_MEM)};
    if (n->reasons && n->reasons(n->device, &bits) == 0) out->limits = bits & ~idle_reason;
    return out->sm_hz > 0 || out->memory_hz > 0;
}

static void close_nvml(struct nvml *n)
{
    if (!n) return;
    if (n->device && n->shutdown) n->shutdown();
    /* the library stays loaded: it may have threads */
    free(n);
}

static struct nvml *open_nvml(const struct cuda_device *d)
{
    char bus[32];
    if (!d->api->device_bus || d->api->device_bus(bus, sizeof bus, d->device) != CUDA_SUCCESS) return NULL;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    struct nvml *n = rg_xcalloc(1, sizeof *n);
    n->library = library;
    const struct {
        void **slot;
        const char *name;
        bool needed;
    } symbols[] = {{(void **)(void *)&n->init, "nvmlInit_v2", true},
                   {(void **)(void *)&n->shutdown, "nvmlShutdown", false},
                   {(void **)(void *)&n->by_bus, "nvmlDeviceGetHandleByPciBusId_v2", true},
                   {(void **)(void *)&n->clock, "nvmlDeviceGetClockInfo", true},
                   {(void **)(void *)&n->clock_max, "nvmlDeviceGetMaxClockInfo", false},
                   {(void **)(void *)&n->reasons, "nvmlDeviceGetCurrentClocksEventReasons", false}};
    bool ok = true;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        *symbols[i].slot = dlsym(library, symbols[i].name);
        ok = ok && (*symbols[i].slot || !symbols[i].needed);
    }
    if (!n->reasons)
        *(void **)(void *)&n->reasons =
            dlsym(library, "nvmlDeviceGetCurrentClocksThrottleReasons"); /* its name before 12.3 */
    if (ok && n->init() == 0 && n->by_bus(bus, &n->device) == 0) return n;
    close_nvml(n);
    return NULL;
}

void rg__cuda_clock_ops(struct rg_device *out)
{
    struct cuda_device *d = out->self;
    struct rg_clocks c;
    out->clock_queue = clock_queue;
    out->clock_read = clock_read;
    d->nvml = open_nvml(d);
    if (d->nvml && clocks(d, &c)) out->clocks = clocks;
}

void rg__cuda_clock_release(struct cuda_device *d)
{
    close_nvml(d->nvml);
    d->nvml = NULL;
}
