#include "runtime/driver/cuda_api.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

static struct cuda_api api;
static bool opened;

static const struct {
    const char *symbol;
    bool required;
} symbols[] = {
#define X(member, symbol, params) {symbol, true},
    CUDA_REQUIRED(X)
#undef X
#define X(member, symbol, params) {symbol, false},
        CUDA_OPTIONAL(X)
#undef X
};

const char *rg__cuda_error_text(const struct cuda_api *c, CUresult e, char *out, size_t size)
{
    const char *name = NULL, *text = NULL;
    if (c->error_name(e, &name) != CUDA_SUCCESS || !name) name = "unknown CUDA error";
    if (c->error_string(e, &text) != CUDA_SUCCESS || !text) text = "no description";
    snprintf(out, size, "%s (%d): %s", name, (int)e, text);
    return out;
}

enum rg_status rg__cuda_api_open(const struct cuda_api **out, struct rg_error *err)
{
    *out = &api;
    if (opened) return RG_OK;
    void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!lib) lib = dlopen("libcuda.so", RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return rg_error_set(err, RG_UNAVAILABLE,
                            "no CUDA driver: libcuda.so.1 cannot be opened (use --device sim:h200 without a GPU)");
    void **slot[] = {
#define X(member, symbol, params) (void **)(void *)&api.member,
        CUDA_REQUIRED(X) CUDA_OPTIONAL(X)
#undef X
    };
    for (size_t i = 0; i < sizeof slot / sizeof slot[0]; i++) {
        *slot[i] = dlsym(lib, symbols[i].symbol);
        if (!*slot[i] && symbols[i].required)
            return rg_error_set(err, RG_UNAVAILABLE, "the CUDA driver is too old: libcuda.so.1 lacks %s",
                                symbols[i].symbol);
    }
    if (!api.event_elapsed_1 && !api.event_elapsed_2)
        return rg_error_set(err, RG_UNAVAILABLE, "the CUDA driver lacks cuEventElapsedTime");
    CUresult e = api.init(0);
    if (e != CUDA_SUCCESS) {
        char text[256];
        return rg_error_set(err, RG_UNAVAILABLE, "the CUDA driver does not start: %s",
                            rg__cuda_error_text(&api, e, text, sizeof text));
    }
    api.driver_version(&api.version);
    opened = true;
    return RG_OK;
}
