/* Plans from any bytes: parse, check against a problem and kernels, run on a device that does nothing, print as host
 * code. */
#include "tests/runtime/plan_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const PARAMS =
    "n:int m:int steps:int alpha:float x:in:float[n] y:inout:float[n] a:inout:float[n,m] b:out:float[n,m] "
    "idx:in:int[n] changed:inout:int[1] s:inout:body[n] u:inout:unsigned_char[n]";
static const struct {
    const char *name, *lowered;
} kernels[] = {{"saxpy", "_Z5saxpyifPKfPf"}, {"two", "_Z3twoPKfPfi"},     {"one", "_Z3onePf"},
               {"jac", "_Z3jacPKfPfii"},     {"relax", "_Z5relaxPKiPii"}, {"bodies", "_Z6bodiesP4bodyS0_"},
               {"vec", "_Z3vecPK6float4Pf"}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rg_problem *problem;
    if (!problem) problem = make_problem("f", PARAMS, (int64_t[]){100, 7, 3});
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    struct rg_plan *plan;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status s = rg_plan_parse(text, &plan, &err);
    if (s != RG_OK && (err.status == RG_OK || !err.text[0])) abort();
    if (s == RG_OK) {
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_kernel_sig *sigs = rg_arena_alloc(&a, (size_t)(plan->n_kernels + 1) * sizeof *sigs);
        bool known = true;
        for (int i = 0; i < plan->n_kernels; i++) {
            bool found = false;
            for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
                if (!strcmp(kernels[k].name, plan->kernels[i]))
                    found = rg_kernel_sig_parse(&a, kernels[k].name, kernels[k].lowered, &sigs[i], NULL) == RG_OK;
            known &= found;
        }
        if (rg_plan_check(plan, problem, known ? sigs : NULL, NULL) == RG_OK) {
            struct fake f;
            struct rg_buf out = RG_BUF_INIT;
            fake_init(&f);
            rg_error_clear(&err);
            f.reads[1] = 1;
            f.n_reads = 3;
            s = rg_plan_run(plan, problem, &problem->sizes[0], known ? sigs : NULL, &f.ops, 50, &err);
            if (s == RG_BUG || (s != RG_OK && !err.text[0])) abort();
            rg_plan_print_host(&out, plan, problem, known ? sigs : NULL, 1);
            rg_buf_release(&out);
            rg_buf_release(&f.log);
        }
        rg_arena_release(&a);
        rg_plan_free(plan);
    }
    free(text);
    return 0;
}
