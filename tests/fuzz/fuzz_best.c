/* A best.cu given to --start may have been edited by anyone: any bytes are kernels and a plan, or a clear error. */
#include <rg/plan.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_source src;
    char *text = rg_xstrndup((const char *)data, size);
    if (rg_export_read(text, size, "fuzz", &src, NULL, &err) == RG_OK) {
        struct rg_plan *plan = NULL;
        expect(src.cuda && src.plan && strlen(src.cuda) <= size && strlen(src.plan) <= size);
        rg_plan_parse(src.plan, &plan, &err);
        rg_plan_free(plan);
        rg_source_release(&src);
    } else {
        expect(!src.cuda && !src.plan && err.text[0]);
    }
    free(text);
    return 0;
}
