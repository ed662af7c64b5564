/* Changing a step by a JSON merge patch (RFC 7396). */
#include "regraph/loader.h"

#include <stdlib.h>
#include <string.h>

/* Onto `target`, an object: null takes a member away, objects are merged, all else replaces. */
static void merge_patch(json_t *target, const json_t *patch)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)patch, key, value)
    {
        json_t *mine = json_object_get(target, key);
        if (json_is_null(value)) {
            json_object_del(target, key);
        } else if (json_is_object(value)) {
            json_t *merged = json_is_object(mine) ? json_incref(mine) : json_object();
            merge_patch(merged, value);
            json_object_set_new(target, key, merged);
        } else {
            json_object_set(target, key, value);
        }
    }
}

static json_t *patched(const struct rg__node *n, const json_t *patch, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__print_step(&b, n);
    json_t *o = rg_json_parse(b.data, b.len, "step", err);
    rg_buf_release(&b);
    if (o) merge_patch(o, patch);
    return o;
}

enum rg_status rg_regraph_set_step(struct rg_regraph *g, const char *id, const char *patch_json, const char *name,
                                   struct rg_buf *notes, struct rg_error *err)
{
    int index = rg_regraph_find(g, id);
    if (index < 0) return rg_error_set(err, RG_INPUT, "unknown step '%s'", id);
    size_t len = strlen(patch_json);
    json_t *patch = rg_json_parse(patch_json, len, name, err);
    if (!patch) return RG_INPUT;
    /* Places are told in the patch: what was there before is right. */
    struct rg_regraph *alone = rg__new("");
    struct rg__loader l = {alone, patch_json, name, len, err, notes};
    const char *other = json_string_value(json_object_get(patch, "id"));
    json_t *o = NULL;
    enum rg_status s = RG_OK;
    if (!json_is_object(patch)) s = rg__graph_load_fail(&l, NULL, NULL, "changes of a step are an object");
    else if (other && strcmp(other, id)) s = rg__graph_load_fail(&l, NULL, "id", "to give a step another id, rename it");
    else if (!(o = patched(&g->nodes[index], patch, err))) s = RG_BUG;
    else s = rg__graph_load_step(&l, NULL, o);
    if (s == RG_OK) {
        rg__copy_node(g, &alone->nodes[0]);
        g->nodes[index] = g->nodes[--g->n_nodes];
    }
    json_decref(o);
    json_decref(patch);
    rg_regraph_free(alone);
    return s;
}
