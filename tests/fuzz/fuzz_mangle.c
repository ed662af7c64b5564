/* Mangled names from any bytes. */
#include <rg/plan.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 3);
    memcpy(text, "_Z", 2);
    memcpy(text + 2, data, size);
    text[size + 2] = 0;
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_kernel_sig sig;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_kernel_sig_parse(&a, "k", text, &sig, &err) == RG_OK)
        for (int i = 0; i < sig.n_params; i++)
            if ((sig.params[i].type == RG_STRUCT) != (sig.params[i].struct_name != NULL)) abort();
    rg_arena_release(&a);
    free(text);
    return 0;
}
