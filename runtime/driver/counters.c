/* Are a chip's own counters to be had? Asked, never guessed: CUPTI must be there, the driver must allow it. */
#include "runtime/driver/cuda_device.h"
#include <dlfcn.h>
#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<cupti_range_profiler.h>)
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#endif

/* `parent`/`below`/libcupti.so of one of the versions that libcuda and NVRTC may be of. */
static void *open_in(const char *parent, const char *below)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    char path[600];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (parent)
            snprintf(path, sizeof path, "%s/%s/%s", parent, below, names[i]);
        else
            snprintf(path, sizeof path, "%s", names[i]);
        void *p = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (p) return p;
    }
    return NULL;
}

static void *open_cupti(void)
{
    const char *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), RG_CUDA_HOME, "/usr/local/cuda", "/opt/cuda"};
    static const char *const below[] = {"extras/CUPTI/lib64", "lib64", "lib"};
    void *p = open_in(NULL, NULL);
    for (size_t h = 0; !p && h < sizeof homes / sizeof *homes; h++)
        for (size_t b = 0; !p && homes[h] && homes[h][0] && b < sizeof below / sizeof *below; b++)
            p = open_in(homes[h], below[b]);
    return p;
}

/* The module parameter NVreg_RestrictProfilingToAdminUsers as the driver runs with it; false: open to all, or not told.
 */
static bool restricted(void)
{
    FILE *f = fopen("/proc/driver/nvidia/params", "r");
    char line[200];
    int on = 0;
    while (f && fgets(line, sizeof line, f)) (void)sscanf(line, "RmProfilingAdminOnly: %d", &on);
    if (f) fclose(f);
    return on != 0;
}

/* Range profiling is switched on and off for the context: that is where the driver says no. 0: it said yes; -1 cannot
 * be asked. */
static int ask(void *library, struct cuda_device *d, char *why, size_t size)
{
#if __has_include(<cupti_range_profiler.h>)
    __typeof__(&cuptiProfilerInitialize) initialise;
    __typeof__(&cuptiRangeProfilerEnable) enable;
    __typeof__(&cuptiRangeProfilerDisable) disable;
    __typeof__(&cuptiGetResultString) text;
    *(void **)(void *)&initialise = dlsym(library, "cuptiProfilerInitialize");
    *(void **)(void *)&enable = dlsym(library, "cuptiRangeProfilerEnable");
    *(void **)(void *)&disable = dlsym(library, "cuptiRangeProfilerDisable");
    *(void **)(void *)&text = dlsym(library, "cuptiGetResultString");
    if (!initialise || !enable || !disable) return -1;
    CUpti_Profiler_Initialize_Params i = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE, NULL};
    CUpti_RangeProfiler_Enable_Params on = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE,
                                            .ctx = d->context};
    CUptiResult r = initialise(&i);
    if (r == CUPTI_SUCCESS) r = enable(&on);
    if (r == CUPTI_SUCCESS) {
        CUpti_RangeProfiler_Disable_Params off = {.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
                                                  .pRangeProfilerObject = on.pRangeProfilerObject};
        (void)disable(&off);
        return 0;
    }
    const char *words = NULL;
    if (text) (void)text(r, &words);
    snprintf(why, size, "%s", words ? words : "CUPTI refuses");
    return 1;
#else
    return -1;
#endif
}

void rg_device_cuda_counters(struct rg_device *dev, bool probe, char *out, size_t size)
{
    char why[200] = "";
    if (!probe) {
        snprintf(out, size, "%s",
                 restricted() ? "missing: the driver keeps them for administrators" : "missing: not asked for");
        return;
    }
    void *library = open_cupti();
    if (!library) {
        snprintf(out, size, "missing: no libcupti.so in LD_LIBRARY_PATH or CUDA_HOME");
        return;
    }
    int (*version)(uint32_t *) = NULL; /* its enum */
    uint32_t v = 0;
    *(void **)(void *)&version = dlsym(library, "cuptiGetVersion");
    if (version) (void)version(&v);
    int said = ask(library, dev->self, why, sizeof why);
    if (said == 0)
        snprintf(out, size, "CUPTI %u is there and permitted", v);
    else if (said > 0)
        snprintf(out, size, "missing: CUPTI %u: %s%s", v, why,
                 restricted() ? " (the driver keeps them for administrators)" : "");
    else
        snprintf(out, size, "missing: CUPTI %u cannot be asked%s", v,
                 restricted() ? "; the driver keeps them for administrators" : "");
    /* stays loaded: it has hooks in the driver */
}
