/* The expression at a compiler's place in preprocessed text, which may be a stranger's. */
#include "runtime/reference/hooks.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    char *text = malloc(size - 1), out[64];
    memcpy(text, data + 2, size - 2);
    text[size - 2] = 0;
    rg__where_subscript(text, "a.c", data[0], data[1], out, sizeof out);
    free(text);
    return 0;
}
