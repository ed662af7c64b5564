/* Edits by people and by learning: each is checked first and leaves the graph untouched when it is refused. */
#include "regraph/internal.h"

#include <math.h>
#include <string.h>

enum rg_status rg_regraph_add_step(struct rg_regraph *g, const char *step_json, struct rg_error *err)
{
    enum rg_status s = rg__parse_step(g, step_json, strlen(step_json), "step", err);
    if (s == RG_OK) rg__regraph_settle(g);
    return s;
}

static enum rg_status unknown(const struct rg_regraph *g, const char *id, struct rg_error *err)
{
    char near[160];
    return rg_error_set(err, RG_INPUT, "unknown step '%s'%s", id, rg_regraph_did_you_mean(g, id, near));
}

static enum rg_status find_ends(const struct rg_regraph *g, const char *from, const char *to, int *f, int *t,
                                struct rg_error *err)
{
    *f = strcmp(from, "@start") == 0 ? -1 : rg_regraph_find(g, from);
    *t = rg_regraph_find(g, to);
    if (*f < 0 && strcmp(from, "@start") != 0) return unknown(g, from, err);
    if (*t < 0 && strcmp(to, "@start") == 0) return rg_error_set(err, RG_INPUT, "no edge leads to @start");
    if (*t < 0) return unknown(g, to, err);
    return RG_OK;
}

static enum rg_status check_opinion(double prior, double confidence, const char *note, struct rg_error *err)
{
    const char *fault = rg__opinion_fault(prior, confidence);
    if (fault) return rg_error_set(err, RG_INPUT, "%s", fault);
    if (note && !rg__utf8_ok(note)) return rg_error_set(err, RG_INPUT, "the note is not UTF-8");
    return RG_OK;
}

enum rg_status rg_regraph_add_edge(struct rg_regraph *g, const char *from, const char *to, double prior,
                                   double confidence, const char *note, struct rg_error *err)
{
    int f, t;
    enum rg_status s = find_ends(g, from, to, &f, &t, err);
    if (s == RG_OK) s = check_opinion(prior, confidence, note, err);
    if (s != RG_OK) return s;
    if (rg_regraph_find_edge(g, f, t) >= 0)
        return rg_error_set(err, RG_INPUT, "there is an edge from '%s' to '%s' already", from, to);
    struct rg__link l = {.edge = {.prior = prior + 0, .confidence = confidence + 0, .note = note}};
    rg__copy_link(g, &l, f, t);
    rg__regraph_settle(g);
    return RG_OK;
}

static enum rg_status find_link(const struct rg_regraph *g, const char *from, const char *to, int *index,
                                struct rg_error *err)
{
    int f, t;
    enum rg_status s = find_ends(g, from, to, &f, &t, err);
    if (s != RG_OK) return s;
    *index = rg_regraph_find_edge(g, f, t);
    if (*index < 0) return rg_error_set(err, RG_INPUT, "there is no edge from '%s' to '%s'", from, to);
    return RG_OK;
}

enum rg_status rg_regraph_set(struct rg_regraph *g, const char *from, const char *to, double prior, double confidence,
                              const char *note, struct rg_error *err)
{
    int index = -1;
    enum rg_status s = find_link(g, from, to, &index, err);
    if (s != RG_OK) return s;
    struct rg_edge *e = &g->links[index].edge;
    if (isnan(prior)) prior = e->prior;
    if (isnan(confidence)) confidence = e->confidence;
    s = check_opinion(prior, confidence, note, err);
    if (s != RG_OK) return s;
    e->prior = prior + 0;
    e->confidence = confidence + 0;
    if (note) e->note = *note ? rg_arena_strdup(&g->arena, note) : NULL;
    return RG_OK;
}

enum rg_status rg_regraph_remove_step(struct rg_regraph *g, const char *id, struct rg_error *err)
{
    int index = rg_regraph_find(g, id);
    if (index < 0) return unknown(g, id, err);
    rg__drop_node(g, index);
    rg__regraph_settle(g);
    return RG_OK;
}

enum rg_status rg_regraph_remove_edge(struct rg_regraph *g, const char *from, const char *to, struct rg_error *err)
{
    int index = -1;
    enum rg_status s = find_link(g, from, to, &index, err);
    if (s != RG_OK) return s;
    rg__drop_link(g, index);
    rg__regraph_settle(g);
    return RG_OK;
}

static enum rg_status check_row(const struct rg_regraph *g, int edge, const struct rg_evidence *row, struct rg_error *err)
{
    if (edge < 0 || edge >= g->n_links)
        return rg_error_set(err, RG_BUG, "evidence for edge %d of %d", edge, g->n_links);
    const char *fault = rg__row_fault(row);
    if (!fault) return RG_OK;
    return rg_error_set(err, RG_INPUT, "evidence for '%s' after '%s': %s", rg__id(g, g->links[edge].edge.to),
                        rg__id(g, g->links[edge].edge.from), fault);
}

enum rg_status rg_regraph_learn(struct rg_regraph *g, int edge, const struct rg_evidence *row, struct rg_error *err)
{
    enum rg_status s = check_row(g, edge, row, err);
    if (s != RG_OK) return s;
    const struct rg__row plain = {*row, {0, NULL}};
    if (rg__replace_row(&g->links[edge], rg__copy_row(&g->arena, &plain))) rg__regraph_settle(g);
    return RG_OK;
}

enum rg_status rg_regraph_join(struct rg_regraph *g, int edge, const struct rg_evidence *row, struct rg_error *err)
{
    enum rg_status s = check_row(g, edge, row, err);
    if (s != RG_OK) return s;
    const struct rg__row plain = {*row, {0, NULL}};
    rg__add_row(&g->links[edge], rg__copy_row(&g->arena, &plain));
    rg__join_rows(&g->links[edge]);
    rg__regraph_settle(g);
    return RG_OK;
}
