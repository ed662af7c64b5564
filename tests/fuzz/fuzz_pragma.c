/* Pragma texts are foreign bytes: no input may crash, hang or read beyond its end. */
#include "frontend/read/directive.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static enum rg_status ignore(void *arg, const char *name, const char *value, int column, struct rg_error *err)
{
    return RG_OK;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    struct rg__directives d = {0};
    struct rg_error e = RG_ERROR_INIT;
    rg__directives_parse(&d, text, "fuzz.c", 1, 1, 0, &e);
    for (int i = 0; i < d.n; i++) {
        struct rg_input in;
        struct rg_error inner = RG_ERROR_INIT;
        if (d.items[i].kind == RG__DIR_INPUT) rg__parse_input(&d.arena, &d.items[i], &in, &inner);
        rg__assignments(&d.arena, &d.items[i], ignore, NULL, &inner);
    }
    rg__directives_release(&d);
    /* the same bytes as preprocessed text */
    struct rg__source s;
    rg__source_init(&s, text, size);
    struct rg_error err = RG_ERROR_INIT;
    rg__directives_scan(&d, &s, &err);
    for (int i = 0; i < s.n_toks; i += 7) rg__source_place(&s, s.toks[i].at);
    struct rg_buf slice = RG_BUF_INIT;
    rg__source_slice(&s, 0, (uint32_t)s.len, &slice);
    rg_buf_release(&slice);
    rg__directives_release(&d);
    rg__source_release(&s);
    return 0;
}
