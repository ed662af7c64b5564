/* Kernels of tests/runtime/kernels/NAME.ptx on the simulated device. */
#ifndef SIM_FIXTURE_H
#define SIM_FIXTURE_H
#include "runtime/device.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sim {
    struct rg_device d;
    struct rg_module *m;
    struct rg_fault fault;
    struct rg_error err;
    char *ptx;
    int n;
    char *names[64];
    struct rg_kernel_attributes attributes[64];
};

static inline char *sim_file(const char *name, size_t *len)
{
    char *path = rg_xstrdup(__FILE__), *slash = strrchr(path, '/'), *text = NULL;
    *slash = 0;
    char *full = rg_xasprintf("%s/kernels/%s", path, name);
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg_file_read(full, 0, &text, len, &e), RG_OK);
    free(full);
    free(path);
    return text;
}

/* Every entry of the PTX, in its order. */
static inline void sim_load_text(struct sim *s, const char *text, size_t len)
{
    for (const char *p = text; (p = strstr(p, ".entry "));) {
        p += 7;
        s->names[s->n] = rg_xstrndup(p, strcspn(p, "( \n"));
        s->attributes[s->n++] = (struct rg_kernel_attributes){.regs = 32, .max_threads = 1024};
    }
    struct rg_blob blob = {.ptx = text,
                           .ptx_len = len,
                           .n_kernels = s->n,
                           .lowered = (const char *const *)s->names,
                           .attributes = s->attributes};
    enum rg_status r = s->d.load(s->d.self, &blob, &s->m, &s->fault, &s->err);
    if (r) print_message("load: %s:%d: %s\n", s->err.file, s->err.line, s->err.text);
    assert_int_equal(r, RG_OK);
}

static inline void sim_open(struct sim *s, const char *ptx)
{
    memset(s, 0, sizeof *s);
    assert_int_equal(rg_device_open_sim("h200", &s->d, &s->err), RG_OK);
    size_t len;
    s->ptx = sim_file(ptx, &len);
    sim_load_text(s, s->ptx, len);
}

static inline void sim_close(struct sim *s)
{
    if (s->m) s->d.unload(s->d.self, s->m);
    s->d.free(s->d.self);
    for (int i = 0; i < s->n; i++) free(s->names[i]);
    free(s->ptx);
}

static inline rg_addr sim_put(struct sim *s, const char *name, const void *data, size_t bytes)
{
    rg_addr a;
    assert_int_equal(s->d.alloc(s->d.self, bytes, name, &a, &s->err), RG_OK);
    if (data)
        assert_int_equal(s->d.to_device(s->d.self, a, data, bytes, &s->err), RG_OK);
    else
        assert_int_equal(s->d.fill(s->d.self, a, bytes, 1, 0, &s->err), RG_OK);
    return a;
}
static inline void sim_get(struct sim *s, void *to, rg_addr a, size_t bytes)
{
    assert_int_equal(s->d.from_device(s->d.self, to, a, bytes, &s->err), RG_OK);
}

/* Arguments are given as (pointer, bytes) pairs: ARG(x). */
struct sim_arg {
    const void *p;
    size_t n;
};
#define ARG(x)                                                                                                         \
    {                                                                                                                  \
        &(x), sizeof(x)                                                                                                \
    }
static inline enum rg_outcome sim_launch_as(struct sim *s, const char *kernel, int gx, int gy, int bx, int by,
                                            int shared, bool coop, const struct sim_arg *a, int n)
{
    const void *args[32];
    size_t bytes[32];
    struct rg_launch l = {.module = s->m,
                          .kernel = -1,
                          .grid = {gx, gy, 1},
                          .block = {bx, by, 1},
                          .shared_bytes = shared,
                          .cooperative = coop,
                          .n_args = n,
                          .args = args,
                          .arg_bytes = bytes};
    for (int i = 0; i < n; i++) args[i] = a[i].p, bytes[i] = a[i].n;
    char *mark =
        kernel[0] >= '0' && kernel[0] <= '9' ? rg_xstrdup(kernel) : rg_xasprintf("%zu%s", strlen(kernel), kernel);
    for (int i = 0; i < s->n; i++)
        if (strstr(s->names[i], mark)) l.kernel = i;
    free(mark);
    assert_true(l.kernel >= 0);
    enum rg_status r = s->d.launch(s->d.self, &l, &s->fault, &s->err);
    if (r) print_message("launch: %s\n", s->err.text);
    assert_int_equal(r, RG_OK);
    return s->fault.outcome;
}
#define LAUNCH(s, kernel, grid, block, ...)                                                                            \
    do {                                                                                                               \
        struct sim_arg args_[] = {__VA_ARGS__};                                                                        \
        enum rg_outcome o_ =                                                                                           \
            sim_launch_as(s, kernel, grid, 1, block, 1, 0, false, args_, (int)(sizeof args_ / sizeof *args_));         \
        if (o_) print_message("%s: %s\n", kernel, (s)->fault.message);                                                 \
        assert_int_equal(o_, RG_OUTCOME_OK);                                                                           \
    } while (0)
#endif
