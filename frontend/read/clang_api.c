#include "frontend/read/clang_api.h"
#include <rg/frontend.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const library_names[] = {
    "libclang.so.1",     "libclang.so",      "libclang-14.so.1",  "libclang-15.so.1",  "libclang-16.so.1",
    "libclang-17.so.1",  "libclang-18.so.1", "libclang-19.so.1",  "libclang-20.so.1",  "libclang-14.so.13",
    "libclang-15.so.15", "libclang.so.13",   "libclang-18.so.18", "libclang-19.so.19",
};

static struct rg__clang table;
static enum rg_status load_status = RG_UNAVAILABLE;
static char load_text[512];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void *open_library(void)
{
    const char *chosen = getenv("RG_LIBCLANG");
    if (chosen && *chosen) return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof library_names / sizeof *library_names; i++) {
        void *h = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
        if (h) return h;
    }
    for (int v = 21; v >= 12; v--) { /* LLVM's own prefix is not on the loader's path */
        char path[64];
        snprintf(path, sizeof path, "/usr/lib/llvm-%d/lib/libclang.so.1", v);
        void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (h) return h;
    }
    return NULL;
}

static void load(void)
{
    void *h = open_library();
    if (!h) {
        snprintf(load_text, sizeof load_text,
                 "libclang is needed to read C and was not found (Debian, Ubuntu: apt install libclang-dev); "
                 "a saved problem (--problem) needs none");
        return;
    }
#define X(name)                                                                                                        \
    *(void **)(void *)&table.name = dlsym(h, "clang_" #name);                                                          \
    if (!table.name) {                                                                                                 \
        snprintf(load_text, sizeof load_text, "libclang is too old: it has no clang_%s (12 or newer is needed)",       \
                 #name);                                                                                               \
        return;                                                                                                        \
    }
    RG__CLANG_MAP(X)
#undef X
    load_status = RG_OK;
}

enum rg_status rg__clang_load(const struct rg__clang **out, struct rg_error *err)
{
    pthread_once(&load_once, load);
    if (load_status != RG_OK) return rg_error_set(err, load_status, "%s", load_text);
    *out = &table;
    return RG_OK;
}

enum rg_status rg_frontend_parser(char *text, size_t size, struct rg_error *err)
{
    const struct rg__clang *c;
    enum rg_status s = rg__clang_load(&c, err);
    if (s != RG_OK) return s;
    CXString v = c->getClangVersion();
    snprintf(text, size, "%s", c->getCString(v));
    c->disposeString(v);
    return RG_OK;
}
