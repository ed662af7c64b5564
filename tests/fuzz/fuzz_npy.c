/* .npy files come from anywhere. */
#include "runtime/data/npy.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rg_npy n;
    char text[64];
    unsigned char *copy = malloc(size ? size : 1); /* its end is watched by ASan */
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    if (rg__npy_parse(copy, size, "fuzz.npy", &n, NULL) == RG_OK) {
        volatile unsigned sum = 0;
        for (int64_t i = 0; i < n.elements * n.bytes; i++) sum += ((const unsigned char *)n.data)[i];
        rg__npy_describe(&n, text, sizeof text);
    }
    free(copy);
    return 0;
}
