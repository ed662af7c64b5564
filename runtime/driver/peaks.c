/* What the device reaches at most: a copy of its own memory, fused multiply-adds. Measured when it is first used, then
 * known by name, driver and clocks. */
#include "runtime/os/cache.h"
#include "runtime/driver/cuda_device.h"
#include <rg/buf.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t limit_bytes = 1 << 20;
enum { REPEATS = 6 }; /* the first warms up */

struct stopwatch {
    CUevent start, end;
};

static bool open_watch(struct cuda_device *d, struct stopwatch *w)
{
    *w = (struct stopwatch){NULL, NULL};
    return d->api->event_create(&w->start, 0) == CUDA_SUCCESS && d->api->event_create(&w->end, 0) == CUDA_SUCCESS;
}

static void close_watch(struct cuda_device *d, struct stopwatch *w)
{
    if (w->start) d->api->event_destroy(w->start);
    if (w->end) d->api->event_destroy(w->end);
}

/* Seconds between the two; 0: not known. */
static double read_watch(struct cuda_device *d, const struct stopwatch *w)
{
    float ms = 0;
    if (d->api->event_sync(w->end) != CUDA_SUCCESS) return 0;
    if ((d->api->event_elapsed_2 ? d->api->event_elapsed_2 : d->api->event_elapsed_1)(&ms, w->start, w->end) !=
        CUDA_SUCCESS)
        return 0;
    return ms * 1e-3;
}

/* The best of device copies of 256 MiB, bytes read and written a second. 0 when memory is short: unknown. */
static double copy_bandwidth(struct cuda_device *d, struct stopwatch *w)
{
    const size_t bytes = (size_t)256 << 20;
    CUdeviceptr a = 0, b = 0;
    double best = 0;
    if (d->api->alloc(&a, bytes) == CUDA_SUCCESS && d->api->alloc(&b, bytes) == CUDA_SUCCESS &&
        d->api->set32(a, 1, bytes / 4, d->stream) == CUDA_SUCCESS)
        for (int i = 0; i < REPEATS; i++) {
            d->api->event_record(w->start, d->stream);
            d->api->copy(b, a, bytes, d->stream);
            d->api->event_record(w->end, d->stream);
            double s = read_watch(d, w), rate = s > 0 ? 2.0 * (double)bytes / s : 0;
            if (i && rate > best) best = rate;
        }
    if (a) d->api->free_(a);
    if (b) d->api->free_(b);
    return best;
}

/* Operations a second of the kernel of chains; about 2 ms a launch by the rate that the data sheet gives. */
static double multiply_adds(struct cuda_device *d, struct stopwatch *w, CUfunction f, bool wide, double sheet)
{
    enum { THREADS = 256, BLOCKS_A_SM = 8, OPERATIONS = 16 };
    unsigned blocks = (unsigned)d->sms * BLOCKS_A_SM;
    double threads = (double)blocks * THREADS, want = sheet * 2e-3 / (OPERATIONS * threads), best = 0;
    int rounds = want < 64 ? 64 : want > 1e6 ? 1000000 : (int)want / 8 * 8;
    float a32 = 0.999f, b32 = 0.001f;
    double a64 = 0.999, b64 = 0.001;
    CUdeviceptr sink = d->scratch;
    void *args[] = {&sink, wide ? (void *)&a64 : (void *)&a32, wide ? (void *)&b64 : (void *)&b32, &rounds};
    for (int i = 0; i < REPEATS; i++) {
        d->api->event_record(w->start, d->stream);
        if (d->api->launch(f, blocks, 1, 1, THREADS, 1, 1, 0, d->stream, args, NULL) != CUDA_SUCCESS) return 0;
        d->api->event_record(w->end, d->stream);
        double s = read_watch(d, w), rate = s > 0 ? OPERATIONS * (double)rounds * threads / s : 0;
        if (i && rate > best) best = rate;
    }
    return best;
}

static void key_of(struct cuda_device *d, const struct rg_device *dev, char key[65])
{
    struct rg_buf b = RG_BUF_INIT;
    struct rg_clocks c = {0};
    CUuuid id = {{0}};
    char line[200] = "";
    const struct rg_device_facts *f = &dev->facts;
    if (d->api->device_uuid) (void)d->api->device_uuid(&id, d->device);
    if (dev->clocks) (void)dev->clocks(dev->self, &c);
    FILE *version = fopen("/proc/driver/nvidia/version", "r");
    if (version && !fgets(line, sizeof line, version)) line[0] = 0;
    if (version) fclose(version);
    rg_buf_printf(&b, "regraph-peaks/1\n%s\n%s\n%s\n%d\n%.17g\n%.17g\n%.17g\n%.17g\n", f->name, f->driver, line, f->sms,
                  f->clock_hz, f->dram_bytes_s, c.sm_max_hz, c.memory_max_hz);
    rg_buf_add(&b, id.bytes, sizeof id.bytes);
    rg_sha256_hex(b.data, b.len, key);
    rg_buf_release(&b);
}

static bool plausible(double measured, double sheet)
{
    return measured > 0.05 * sheet && measured < 1.5 * sheet;
}

const char *rg_device_cuda_peaks(struct rg_device *dev, const char *cache_dir)
{
    struct cuda_device *d = dev->self;
    struct rg_device_facts *f = &dev->facts;
    struct rg_cache cache;
    struct rg_buf b = RG_BUF_INIT;
    struct stopwatch w;
    char key[65];
    double copy = 0, fp32 = 0, fp64 = 0;
    key_of(d, dev, key);
    rg__cache_open(&cache, cache_dir, "peaks", limit_bytes);
    bool known = rg__cache_get(&cache, key, &b) && sscanf(b.data, "%lf %lf %lf", &copy, &fp32, &fp64) == 3 &&
                 plausible(copy, f->dram_bytes_s) && plausible(fp32, f->fp32_flop_s) && plausible(fp64, f->fp64_flop_s);
    if (!known && open_watch(d, &w)) {
        copy = copy_bandwidth(d, &w);
        fp32 = multiply_adds(d, &w, d->fma32, false, f->fp32_flop_s);
        fp64 = multiply_adds(d, &w, d->fma64, true, f->fp64_flop_s);
    }
    if (!known) close_watch(d, &w);
    bool all = plausible(copy, f->dram_bytes_s) && plausible(fp32, f->fp32_flop_s) && plausible(fp64, f->fp64_flop_s);
    if (!known && all) {
        rg_buf_reset(&b);
        rg_buf_printf(&b, "%.17g %.17g %.17g\n", copy, fp32, fp64);
        rg__cache_put(&cache, key, b.data, b.len);
    }
    if (copy > 0) f->copy_bytes_s = copy;
    if (plausible(fp32, f->fp32_flop_s)) f->fp32_flop_s = fp32;
    if (plausible(fp64, f->fp64_flop_s)) f->fp64_flop_s = fp64;
    rg__cache_close(&cache);
    rg_buf_release(&b);
    return known ? "measured before" : all ? "measured" : "data sheet";
}
