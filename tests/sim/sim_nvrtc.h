/* CUDA files of tests/sim/ on the simulated device, compiled by NVRTC when the test starts, launched with every check
 * on. */
#ifndef SIM_NVRTC_H
#define SIM_NVRTC_H
#include "runtime/compile/compiler.h"
#include "tests/runtime/sim_fixture.h"
#include <ctype.h>

struct cu {
    struct sim s;
    char *source;
    struct rg_compiled compiled;
    struct rg_arena arena;
    bool have;
};

/* Names of all kernels: the identifier before the parameter list of each __global__. */
static inline int cu_kernels(const char *source, char **names, int most)
{
    int n = 0;
    for (const char *p = source; (p = strstr(p, "__global__")) && n < most; p += 10) {
        const char *open = strstr(p, "(");
        while (open && !strncmp(p + strlen("__global__ void "), "__launch_bounds__", 17) && open < strstr(p, ") "))
            open = strchr(open + 1, '(');
        const char *end = open;
        while (end > p && !isalnum((unsigned char)end[-1]) && end[-1] != '_') end--;
        const char *start = end;
        while (start > p && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
        names[n++] = rg_xstrndup(start, (size_t)(end - start));
    }
    return n;
}

/* files: names beside `here`, blanks between; their texts are compiled as one */
static inline void cu_open(struct cu *c, const char *here, const char *files)
{
    memset(c, 0, sizeof *c);
    struct rg_compiler compiler;
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg_device_open_sim("h200", &c->s.d, &c->s.err), RG_OK);
    if (rg__compiler_open(&compiler, &e) != RG_OK) {
        print_message("no NVRTC: %s\n", e.text);
        return;
    }
    struct rg_buf all = RG_BUF_INIT;
    char *names[64];
    for (const char *f = files; *f; f += strspn(f, " ")) {
        int word = (int)strcspn(f, " "), folder = (int)(strrchr(here, '/') - here);
        char *full = rg_xasprintf("%.*s/%.*s", folder, here, word, f), *text = NULL;
        size_t len;
        assert_int_equal(rg_file_read(full, 0, &text, &len, &e), RG_OK);
        rg_buf_printf(&all, "%s", text);
        free(text);
        free(full);
        f += word;
    }
    c->source = rg_xstrdup(all.data);
    rg_buf_release(&all);
    int n = cu_kernels(c->source, names, 64);
    enum rg_status s =
        rg__compile(&compiler, &c->arena, c->source, "sm_90", 0, (const char *const *)names, n, &c->compiled, &e);
    if (s) fail_msg("%s", e.text);
    if (c->compiled.outcome) fail_msg("%s: %s", files, c->compiled.message);
    struct rg_kernel_attributes attributes[64];
    const char *lowered[64];
    for (int i = 0; i < n; i++) {
        lowered[i] = c->compiled.kernels[i].lowered;
        attributes[i] = c->compiled.kernels[i].attributes;
        c->s.names[c->s.n++] = rg_xstrdup(lowered[i]);
        free(names[i]);
    }
    struct rg_blob blob = {.ptx = c->compiled.ptx,
                           .ptx_len = c->compiled.ptx_len,
                           .n_kernels = n,
                           .lowered = lowered,
                           .attributes = attributes};
    s = c->s.d.load(c->s.d.self, &blob, &c->s.m, &c->s.fault, &c->s.err);
    if (s) fail_msg("load: %s:%d: %s", c->s.err.file, c->s.err.line, c->s.err.text);
    rg__compiler_close(&compiler);
    c->have = true;
}

static inline void cu_close(struct cu *c)
{
    if (c->have) rg__compiled_release(&c->compiled);
    rg_arena_release(&c->arena);
    free(c->source);
    sim_close(&c->s);
}

/* The line that carries the comment "@mark"; 0: none. */
static inline int cu_line(const struct cu *c, const char *mark)
{
    char *want = rg_xasprintf("@%s", mark);
    int line = 1, found = 0;
    for (const char *p = c->source; *p && !found; p++) {
        if (!strncmp(p, want, strlen(want)) && !isalnum((unsigned char)p[strlen(want)]) && p[strlen(want)] != '_')
            found = line;
        if (*p == '\n') line++;
    }
    free(want);
    return found;
}

/* A buffer that nothing has written; result: of the program. */
static inline rg_addr sim_fresh(struct sim *s, const char *name, size_t bytes, bool result)
{
    rg_addr a = sim_put(s, name, NULL, bytes);
    s->d.fill(s->d.self, a, bytes, 1, 0xff, &s->err);
    s->d.check(s->d.self, 1e9);
    s->d.undefined(s->d.self, a, bytes, result);
    return a;
}
#endif
