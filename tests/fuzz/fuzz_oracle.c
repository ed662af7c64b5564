/* Preprocessed text from any bytes: rewritten or refused with a reason; rewriting keeps the lines, and what is
 * rewritten holds no float any more, so that once more changes nothing in F64. */
#include "frontend/emit/oracle.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int lines(const char *text)
{
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

/* The rewritten text; NULL when there is none. */
static char *rewrite(const char *text, enum rg__oracle_mode mode)
{
    struct rg__source s;
    struct rg_buf out = RG_BUF_INIT;
    struct rg_arena a = RG_ARENA_INIT;
    const char *why = NULL;
    rg__source_init(&s, rg_xstrdup(text), strlen(text));
    if (rg__oracle_text(&s, mode, NULL, &out, &why, &a) != RG_OK || (why && (!why[0] || out.len))) abort();
    bool refused = why != NULL;
    rg__source_release(&s);
    rg_arena_release(&a);
    if (!refused) return rg_buf_steal(&out);
    rg_buf_release(&out);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = rg_xstrndup((const char *)data, size);
    char *wide = rewrite(text, RG__ORACLE_LONG_DOUBLE), *once = rewrite(text, RG__ORACLE_F64);
    if (wide && lines(wide) != lines(text)) abort();
    if (once) {
        if (lines(once) != lines(text)) abort();
        char *twice = rewrite(once, RG__ORACLE_F64);
        if (twice && strcmp(once, twice)) abort();
        free(twice);
    }
    free(wide);
    free(once);
    free(text);
    return 0;
}
