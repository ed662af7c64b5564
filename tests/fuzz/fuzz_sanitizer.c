/* What compute-sanitizer prints, or anything else: texts end, errors are only there with a summary, and the same bytes
 * say the same. */
#include "runtime/farm/sanitizer.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rg_sanitizer_result a, b;
    char *text = malloc(size ? size : 1); /* no NUL behind it: a read beyond the end shows */
    memcpy(text, data, size);
    rg__sanitizer_parse(text, size, &a);
    rg__sanitizer_parse(text, size, &b);
    if (memcmp(&a, &b, sizeof a) || a.errors < 0 || (a.errors && !a.summed)) abort();
    if (!memchr(a.first, 0, sizeof a.first) || !memchr(a.complaint, 0, sizeof a.complaint)) abort();
    free(text);
    return 0;
}
