/* problem.json of a folder of kernels comes from other people: any bytes are a problem whose inputs can be made, or a
 * clear error. */
#include "runtime/kernels/kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/rg-fuzz-XXXXXX", path[64];
static void clean(void)
{
    unlink(path);
    rmdir(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!path[0]) {
        if (!mkdtemp(dir)) abort();
        snprintf(path, sizeof path, "%s/problem.json", dir);
        atexit(clean);
    }
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) abort();
    struct rg_error err = RG_ERROR_INIT;
    struct kernels_problem *k;
    if (rg__kernels_problem_read(dir, "fuzz", &k, &err) != RG_OK) {
        if (!err.text[0]) abort();
        return 0;
    }
    for (int size_of = 0; size_of < KERNELS_SIZES; size_of++)
        for (int i = 0; i < k->p->n_sizes && i < k->p->n_params; i++) {
            int64_t bytes;
            bool small = true;
            for (int j = 0; j < k->p->n_size_params; j++) small = small && k->p->sizes[size_of].values[j] < 1000;
            if (!small || k->p->params[i].kind != RG_PARAM_ARRAY) continue;
            struct rg_error e = RG_ERROR_INIT;
            if (rg__kernels_input(k, size_of, i, &bytes, &e) != RG_OK && !e.text[0]) abort();
        }
    rg__kernels_problem_free(k);
    return 0;
}
