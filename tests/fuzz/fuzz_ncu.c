/* What ncu prints, or anything else: every counter has a name and a finite value, and what was read is read again the
 * same. */
#include "runtime/farm/ncu.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rg_ncu_result a, b;
    char *text = malloc(size ? size : 1); /* no NUL behind it: a read beyond the end shows */
    memcpy(text, data, size);
    rg__ncu_parse(text, size, &a);
    rg__ncu_parse(text, size, &b);
    if (memcmp(&a, &b, sizeof a) || a.n_counters > RG_MAX_COUNTERS) abort();
    for (int i = 0; i < a.n_counters; i++)
        if (strncmp(a.counters[i].name, "hw_", 3) || isnan(a.counters[i].value) || a.counters[i].value < 0) abort();
    if (a.n_counters && !a.launches) abort();
    free(text);
    return 0;
}
