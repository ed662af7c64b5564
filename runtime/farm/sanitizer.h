/* NVIDIA's compute-sanitizer: what it prints. No process is started here. Internal. */
#ifndef RG_RUNTIME_SANITIZER_H
#define RG_RUNTIME_SANITIZER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_sanitizer_result {
    bool summed;         /* its last line is there: it looked at everything */
    int64_t errors;      /* by that line; warnings are none */
    char first[300];     /* the first of them with its places, ""; in its words, cut */
    char complaint[200]; /* what it said of itself where it could not work, "" */
};

/* The log of `compute-sanitizer --tool memcheck` or `racecheck`. Anything may be in `text`; never fails. Cost: O(len).
 */
void rg__sanitizer_parse(const char *text, size_t len, struct rg_sanitizer_result *out);
#endif
