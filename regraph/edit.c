/* Edits by people and by learning: each is checked first and leaves the graph untouched when it is refused. */
#include "regraph/internal.h"

#include <math.h>
#include <string.h>

enum rg_status rg_regraph_add_step_of(struct rg_regraph *g, const char *step_json, const char *name,
                                      struct rg_buf *notes, struct rg_error *err)
{
    enum rg_status s = rg__parse_step(g, step_json, strlen(step_json), name, notes, err);
    if (s != RG_OK) return s;
    rg__removal_forget(g, g->nodes[g->n_nodes - 1].step.id, NULL, NULL);
    rg__regraph_settle(g);
    return RG_OK;
}

enum rg_status rg_regraph_add_step(struct rg_regraph *g, const char *step_json, struct rg_error *err)
{
    return rg_regraph_add_step_of(g, step_json, "step", NULL, err);
}

enum rg_status rg_regraph_sign(struct rg_regraph *g, const char *author, const char *date, struct rg_error *err)
{
    if (author && !rg__utf8_ok(author)) return rg_error_set(err, RG_INPUT, "the author's name is not UTF-8");
    if (date && !rg__date_ok(date)) return rg_error_set(err, RG_INPUT, "'%.40s' is no date like 2026-11-23", date);
    g->author = author && *author ? rg_arena_strdup(&g->arena, author) : NULL;
    g->date = date ? rg_arena_strdup(&g->arena, date) : NULL;
    return RG_OK;
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
    bool said = note && *note;
    struct rg__link l = {.edge = {.prior = prior + 0,
                                  .confidence = confidence + 0,
                                  .note = said ? note : NULL,
                                  .author = said ? g->author : NULL,
                                  .date = said ? g->date : NULL}};
    rg__removal_forget(g, NULL, from, to);
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
    if (!note) return RG_OK;
    e->note = *note ? rg_arena_strdup(&g->arena, note) : NULL;
    e->author = *note ? g->author : NULL;
    e->date = *note ? g->date : NULL;
    return RG_OK;
}

enum rg_status rg_regraph_bar_edge(struct rg_regraph *g, const char *from, const char *to, bool never,
                                   struct rg_error *err)
{
    int index = -1;
    enum rg_status s = find_link(g, from, to, &index, err);
    if (s == RG_OK) g->links[index].edge.never = never;
    return s;
}

enum rg_status rg_regraph_bar_step(struct rg_regraph *g, const char *id, bool never, struct rg_error *err)
{
    int index = rg_regraph_find(g, id);
    if (index < 0) return rg_error_set(err, RG_INPUT, "unknown step '%s'", id);
    g->nodes[index].step.never = never;
    return RG_OK;
}

enum rg_status rg_regraph_rename(struct rg_regraph *g, const char *id, const char *now, struct rg_error *err)
{
    int index = rg_regraph_find(g, id);
    if (index < 0) return rg_error_set(err, RG_INPUT, "unknown step '%s'", id);
    if (!rg__id_ok(now))
        return rg_error_set(err, RG_INPUT, "'%s' is no step id (a letter, then letters, digits, '.', '_', '-')", now);
    if (rg_regraph_find(g, now) >= 0) return rg_error_set(err, RG_INPUT, "there is a step '%s' already", now);
    const char *was = g->nodes[index].step.id;
    now = rg_arena_strdup(&g->arena, now);
    g->nodes[index].step.id = now;
    rg__baseline_rename(g, was, now);
    rg__removal_forget(g, now, NULL, NULL);
    for (int i = 0; i < g->n_removals; i++) { /* edges of it that are gone stay gone */
        struct rg_removal *r = &g->removals[i];
        if (r->from && !strcmp(r->from, was)) r->from = now;
        if (r->to && !strcmp(r->to, was)) r->to = now;
    }
    rg__removed_step(g, was, now);
    rg__regraph_settle(g);
    return RG_OK;
}

enum rg_status rg_regraph_remove_step(struct rg_regraph *g, const char *id, struct rg_error *err)
{
    int index = rg_regraph_find(g, id);
    if (index < 0) return unknown(g, id, err);
    id = g->nodes[index].step.id;
    rg__drop_node(g, index);
    rg__removed_step(g, id, NULL);
    rg__regraph_settle(g);
    return RG_OK;
}

enum rg_status rg_regraph_remove_edge(struct rg_regraph *g, const char *from, const char *to, struct rg_error *err)
{
    int index = -1;
    enum rg_status s = find_link(g, from, to, &index, err);
    if (s != RG_OK) return s;
    rg__drop_link(g, index);
    rg__removed_edge(g, from, to);
    rg__regraph_settle(g);
    return RG_OK;
}

static enum rg_status check_row(const struct rg_regraph *g, int edge, const struct rg_evidence *row,
                                struct rg_error *err)
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
