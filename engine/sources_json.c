/* The sources that were evaluated, kept beside the journal, whose lines name them. */
#include "engine/engine.h"
#include <jansson.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

void rg__source_name(const struct rg_source *src, char out[17])
{
    char hex[65];
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, src->cuda, strlen(src->cuda) + 1);
    rg_sha256_add(h, src->plan, strlen(src->plan));
    rg_sha256_end(h, hex);
    memcpy(out, hex, 16);
    out[16] = 0;
}

enum rg_status rg__source_keep(struct rg__search *s, const char *name, const struct rg_source *src,
                               struct rg_error *err)
{
    if (!s->o->sources) return RG_OK;
    enum rg_status st = s->kept ? RG_OK : rg_pack_open(s->o->sources, &s->kept, err);
    json_t *o = json_pack("{s:s, s:s, s:s}", "source", name, "cuda", src->cuda, "plan", src->plan);
    char *text = o ? json_dumps(o, JSON_COMPACT) : NULL; /* NULL: no UTF-8; then it can't be kept */
    json_decref(o);
    if (st == RG_OK && text) {
        char *line = rg_xasprintf("%s\n", text);
        st = rg_pack_add(s->kept, line, strlen(line), err);
        free(line);
    }
    free(text);
    return st;
}
