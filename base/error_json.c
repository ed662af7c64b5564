/* An error as a document, for programs that were asked for JSON. */
#include "base/json_util.h"
#include <ctype.h>
#include <stdlib.h>

char *rg_error_json(const struct rg_error *e)
{
    char code[32];
    const char *name = rg_status_name(e->status);
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof code; n++) code[n] = (char)tolower((unsigned char)name[n]);
    code[n] = 0;
    json_t *o = json_pack("{s:s, s:{s:s, s:o, s:o, s:o, s:o}}", "schema", "regraph-error/1", "error", "code", code,
                          "message", rg_json_text(e->text), "file", e->file[0] ? rg_json_text(e->file) : json_null(),
                          "line", e->line > 0 ? json_integer(e->line) : json_null(), "column",
                          e->column > 0 ? json_integer(e->column) : json_null());
    char *text = rg_json_pretty(o);
    json_decref(o);
    return text;
}
