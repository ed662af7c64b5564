/* A file of kernels that all take the same arguments, each with its CPU reference, run with every check on: nothing may
 * be found. */
#ifndef SIM_KERNELS_H
#define SIM_KERNELS_H
#include "tests/sim/sim_nvrtc.h"
#include "runtime/data/half.h"

enum { M = 4096, NN = 1024 };
struct in {
    float x[M], z[M];
    int k[M];
    double d[M];
    uint16_t h[M];
};
enum kind { F32, F64, I32, F16 };
enum where { OUT, ZERO, W };
struct kernel {
    const char *name;
    int gx, gy, bx, by, shared;
    bool coop;
    enum where where;
    enum kind kind;
    int count;
    double tol; /* of |reference| + 1 */
    void (*ref)(const struct in *in, double *r);
};

static struct in inputs;
static struct cu cu;
static struct {
    rg_addr x, z, k, d, h;
} at;

static inline int kernels_open(const char *here, const char *file)
{
    cu_open(&cu, here, file);
    if (!cu.have) return 0;
    unsigned s = 12345;
    for (int i = 0; i < M; i++) {
        s = s * 1664525u + 1013904223u;
        inputs.x[i] = (float)(s >> 8) / (1 << 23) - 1;
        s = s * 1664525u + 1013904223u;
        inputs.z[i] = (float)(s >> 8) / (1 << 23) - 1;
        s = s * 1664525u + 1013904223u;
        inputs.k[i] = (int)(s >> 8) % 97;
        s = s * 1664525u + 1013904223u;
        inputs.d[i] = (double)(s >> 8) / (1 << 22) - 2;
        inputs.h[i] = rg__half_from_float(inputs.x[i]);
    }
    at.x = sim_put(&cu.s, "x", inputs.x, sizeof inputs.x);
    at.z = sim_put(&cu.s, "z", inputs.z, sizeof inputs.z);
    at.k = sim_put(&cu.s, "k", inputs.k, sizeof inputs.k);
    at.d = sim_put(&cu.s, "d", inputs.d, sizeof inputs.d);
    at.h = sim_put(&cu.s, "h", inputs.h, sizeof inputs.h);
    return 0;
}

static inline void run_kernel(const struct kernel *t, bool checked, void *got, size_t bytes)
{
    struct sim *s = &cu.s;
    int n = NN;
    rg_addr out = sim_fresh(s, "out", 8 * M, true), w = sim_fresh(s, "w", 8 * M, false),
            zero = sim_put(s, "zero", NULL, 4 * M);
    s->d.check(s->d.self, checked ? 1e9 : 0);
    s->d.budget(s->d.self, 1e8);
    struct sim_arg a[] = {ARG(at.x), ARG(at.z), ARG(at.k), ARG(at.d), ARG(at.h), ARG(out), ARG(w), ARG(zero), ARG(n)};
    if (sim_launch_as(s, t->name, t->gx, t->gy, t->bx, t->by, t->shared, t->coop, a, 9))
        fail_msg("%s: %s", rg_outcome_word(s->fault.outcome), s->fault.message);
    sim_get(s, got, t->where == OUT ? out : t->where == W ? w : zero, bytes);
    s->d.release(s->d.self, out);
    s->d.release(s->d.self, w);
    s->d.release(s->d.self, zero);
}

static inline double value(const struct kernel *t, const void *got, int i)
{
    switch (t->kind) {
    case F32:
        return ((const float *)got)[i];
    case F64:
        return ((const double *)got)[i];
    case I32:
        return ((const int *)got)[i];
    default:
        return (double)rg__half_to_float(((const uint16_t *)got)[i]);
    }
}

static inline void kernel_matches(void **state)
{
    const struct kernel *t = *state;
    static double want[M];
    static char got[8 * M], again[8 * M];
    if (!cu.have) skip();
    size_t bytes = (size_t)t->count * (t->kind == F64 ? 8 : t->kind == F16 ? 2 : 4);
    memset(want, 0, sizeof want);
    t->ref(&inputs, want);
    run_kernel(t, true, got, bytes);
    for (int i = 0; i < t->count; i++) {
        double v = value(t, got, i), e = fabs(v - want[i]);
        if (!(e <= t->tol * (1 + fabs(want[i])))) fail_msg("%s: element %d is %.9g, not %.9g", t->name, i, v, want[i]);
    }
    if (t->tol < 0) return;
    run_kernel(t, false, again, bytes); /* the checks change nothing */
    if (memcmp(got, again, bytes)) fail_msg("%s: another result without checks", t->name);
}

static inline int kernels_run(const struct kernel *all, int n, int (*setup)(void **), int (*teardown)(void **))
{
    struct CMUnitTest *tests = rg_xcalloc((size_t)n, sizeof *tests);
    for (int i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){all[i].name, kernel_matches, NULL, NULL, (void *)(uintptr_t)&all[i]};
    int failed = _cmocka_run_group_tests("kernels", tests, (size_t)n, setup, teardown);
    free(tests);
    return failed;
}
#endif
