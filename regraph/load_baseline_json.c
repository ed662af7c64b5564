/* Reading the chains of the baseline: a list of lists of {"step", "site"?, "optional"?}. */
#include "regraph/loader.h"

#include <string.h>

static enum rg_status load_item(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                struct rg_baseline_step *out)
{
    static const char *const members[] = {"step", "site", "optional"};
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "a step of the baseline is an object");
    RG__TRY(rg__graph_load_text(l, at, o, "step", true, &out->step));
    if (rg_regraph_find(l->g, out->step) < 0)
        return rg__graph_load_fail(l, at, "step", "the baseline names unknown step '%s'", out->step);
    RG__TRY(rg__graph_load_text(l, at, o, "site", false, &out->site));
    const json_t *optional = json_object_get(o, "optional");
    if (optional && !json_is_boolean(optional)) return rg__graph_load_mistyped(l, at, "optional", "true or false");
    out->optional = json_is_true(optional);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)o, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < sizeof members / sizeof *members; i++) known = known || !strcmp(members[i], key);
        if (!known) return rg__graph_load_fail(l, at, key, "unknown member \"%s\" in a step of the baseline", key);
    }
    return RG_OK;
}

static enum rg_status load_chain(struct rg__loader *l, const struct rg__place *at, const json_t *list,
                                 struct rg_baseline_chain *out)
{
    size_t n = json_array_size(list);
    if (!json_is_array(list) || !n)
        return rg__graph_load_fail(l, at, NULL, "a chain of the baseline is a list of one step or more");
    out->n = (int)n;
    out->items = rg_arena_alloc(&l->g->arena, n * sizeof *out->items);
    bool needed = false;
    for (size_t i = 0; i < n; i++) {
        const struct rg__place item = {at, NULL, (int)i};
        RG__TRY(load_item(l, &item, json_array_get(list, i), &out->items[i]));
        needed = needed || !out->items[i].optional;
    }
    return needed ? RG_OK : rg__graph_load_fail(l, at, NULL, "all steps of this chain are optional");
}

enum rg_status rg__graph_load_baseline(struct rg__loader *l, const json_t *doc)
{
    enum { most = 64 };
    const struct rg__place here = {NULL, "baseline", 0};
    json_t *list;
    RG__TRY(rg__graph_load_array(l, NULL, doc, "baseline", false, &list));
    size_t n = json_array_size(list);
    if (n > most) return rg__graph_load_fail(l, NULL, "baseline", "more than %d chains", most);
    if (n) l->g->baseline = rg_arena_alloc(&l->g->arena, n * sizeof *l->g->baseline);
    for (size_t i = 0; i < n; i++) {
        const struct rg__place item = {&here, NULL, (int)i};
        RG__TRY(load_chain(l, &item, json_array_get(list, i), &l->g->baseline[i]));
        l->g->n_baseline++;
    }
    return RG_OK;
}
