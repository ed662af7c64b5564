/* Reading what an expert removed or renamed: a list of {"step", "now"?} and {"from", "to"}, each signed or not. */
#include "regraph/loader.h"

#include <stdlib.h>
#include <string.h>

static enum rg_status load_id(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                              const char **out)
{
    RG__TRY(rg__graph_load_text(l, at, o, key, false, out));
    bool start = *out && key[0] == 'f' && strcmp(*out, "@start") == 0;
    if (*out && !start && !rg__id_ok(*out)) return rg__graph_load_fail(l, at, key, "'%s' is no step id", *out);
    return RG_OK;
}

static enum rg_status load_removal(struct rg__loader *l, const struct rg__place *at, const json_t *o)
{
    static const char *const members[] = {"step", "now", "from", "to", "author", "date"};
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "what was removed is an object");
    struct rg_removal r = {0};
    RG__TRY(load_id(l, at, o, "step", &r.step));
    RG__TRY(load_id(l, at, o, "now", &r.now));
    RG__TRY(load_id(l, at, o, "from", &r.from));
    RG__TRY(load_id(l, at, o, "to", &r.to));
    RG__TRY(rg__graph_load_text(l, at, o, "author", false, &r.author));
    RG__TRY(rg__graph_load_date(l, at, o, "date", &r.date));
    bool step = r.step && !r.from && !r.to, edge = !r.step && !r.now && r.from && r.to;
    if (!step && !edge) return rg__graph_load_fail(l, at, NULL, "a step is removed by \"step\", an edge by \"from\" and \"to\"");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)o, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < sizeof members / sizeof *members; i++) known = known || !strcmp(members[i], key);
        if (!known) return rg__graph_load_fail(l, at, key, "unknown member \"%s\" in what was removed", key);
    }
    const struct rg_regraph *g = l->g;
    int f = edge && strcmp(r.from, "@start") ? rg_regraph_find(g, r.from) : -1, t = edge ? rg_regraph_find(g, r.to) : -1;
    bool there = step ? rg_regraph_find(g, r.step) >= 0
                      : t >= 0 && (f >= 0 || !strcmp(r.from, "@start")) && rg_regraph_find_edge(g, f, t) >= 0;
    if (there) { /* an editor put it back: what is there counts */
        rg__graph_load_note(l, at, NULL, "said to be removed, but it is there: the entry is dropped");
        return RG_OK;
    }
    rg__add_removal(l->g, &r);
    return RG_OK;
}

enum rg_status rg__graph_load_removals(struct rg__loader *l, const json_t *doc)
{
    const struct rg__place here = {NULL, "removed", 0};
    json_t *list;
    RG__TRY(rg__graph_load_array(l, NULL, doc, "removed", false, &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const struct rg__place item = {&here, NULL, (int)i};
        RG__TRY(load_removal(l, &item, json_array_get(list, i)));
    }
    if (l->g->n_removals > 1)
        qsort(l->g->removals, (size_t)l->g->n_removals, sizeof *l->g->removals, rg__removal_compare);
    return RG_OK;
}
