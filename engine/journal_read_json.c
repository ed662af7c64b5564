/* Reading a journal: its lines, and the evidence they hold. Meets foreign bytes. */
#include "engine/engine.h"
#include "engine/journal_line_json.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>

static void drop(struct rg__old_line *l)
{
    free(l->stable);
    json_decref(l->json);
}

void rg__old_lines_release(struct rg__old_lines *l)
{
    for (int i = 0; i < l->n; i++) drop(&l->items[i]);
    free(l->items);
    memset(l, 0, sizeof *l);
}

/* The text up to its clock member, which is always the last. Inside a string its quotes would be escaped. */
static char *stable_text(const char *line, size_t len)
{
    static const char mark[] = ",\"clock\":";
    for (size_t i = len; i-- > 0;)
        if (len - i >= sizeof mark - 1 && !memcmp(line + i, mark, sizeof mark - 1)) return rg_xstrndup(line, i);
    return rg_xstrndup(line, len);
}

static enum rg_status parse_line(const char *line, size_t len, const char *name, int number, json_t **out,
                                 struct rg_error *err)
{
    json_error_t e;
    json_t *j = json_loadb(line, len, JSON_REJECT_DUPLICATES, &e);
    *out = j;
    if (!j) return rg_error_at(err, RG_INPUT, name, number, e.column, "no journal line: %s", e.text);
    if (!json_is_object(j) || !json_string_value(json_object_get(j, "line")))
        return rg_error_at(err, RG_INPUT, name, number, 1,
                           "no journal line: an object with a member \"line\" expected");
    return RG_OK;
}

enum rg_status rg__old_lines_parse(const char *text, size_t len, const char *name, struct rg__old_lines *out,
                                   struct rg_error *err)
{
    memset(out, 0, sizeof *out);
    int closing = -1, number = 0;
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        if (!end) break;
        size_t n = (size_t)(end - (text + at));
        json_t *j;
        enum rg_status st = parse_line(text + at, n, name, ++number, &j, err);
        if (st != RG_OK) {
            json_decref(j);
            return st;
        }
        const char *kind = json_string_value(json_object_get(j, "line"));
        if (number == 1 && strcmp(kind, "run")) {
            st = rg_error_at(err, RG_INPUT, name, 1, 1, "a journal starts with a line \"run\", not \"%.40s\"", kind);
            json_decref(j);
            return st;
        }
        double t = rg_json_any_number_read(json_object_get(json_object_get(j, "clock"), "t"), out->clock);
        if (isfinite(t) && t >= 0) out->clock = t;
        out->bytes = at + n + 1;
        if (!strcmp(kind, "resume")) { /* what the session before concluded is concluded anew */
            while (closing >= 0 && out->n > closing) drop(&out->items[--out->n]);
            closing = -1;
            json_decref(j);
        } else {
            if (!strcmp(kind, "end") && closing < 0) closing = out->n;
            RG_GROW(out->items, out->n, out->cap);
            out->items[out->n++] = (struct rg__old_line){stable_text(text + at, n), j, number};
        }
        at += n + 1;
    }
    out->closed = closing >= 0;
    out->n_body = closing >= 0 ? closing : out->n;
    return RG_OK;
}

/* What evidence needs of an action, by its id. */
struct deed {
    uint32_t parent;
    int edge; /* -1: no edge of the graph */
    const char *coder;
    bool known, left_out;
};

struct harvest {
    const char *name;
    const struct rg_regraph *g;
    int most; /* ids may not exceed the number of lines: each is made by a line */
    struct deed *deeds;
    struct rg__figure *figures;
    int n_figures;
    struct rg__credit *credits;
    int n_credits, cap_credits;
    double naive_us;
    uint32_t best; /* RG__NONE: the run did not come to its end */
};

static bool index_of(const json_t *j, const char *key, int most, uint32_t *out)
{
    const json_t *v = json_object_get(j, key);
    if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > most) return false;
    *out = (uint32_t)json_integer_value(v);
    return true;
}

static enum rg_status bad(const struct harvest *h, int number, const char *what, struct rg_error *err)
{
    return rg_error_at(err, RG_INPUT, h->name, number, 1, "%s", what);
}

/* The edge that a line's `from` and `step` name; -1 where the graph has none or the line names none. */
static int edge_of(const struct harvest *h, const json_t *j, int number)
{
    const char *from = json_string_value(json_object_get(j, "from"));
    const char *step = json_string_value(json_object_get(j, "step"));
    if (!from || !step) return -1;
    int f = strcmp(from, "@start") ? rg_regraph_find(h->g, from) : -1, t = rg_regraph_find(h->g, step), edge = -1;
    if (t >= 0 && (f >= 0 || !strcmp(from, "@start"))) edge = rg_regraph_find_edge(h->g, f, t);
    if (edge < 0)
        rg_log(RG_LOG_WARN, "%s:%d: the graph has no edge from %s to %s; its evidence is left out", h->name, number,
               from, step);
    return edge;
}

static enum rg_status take_action(struct harvest *h, const json_t *j, int number, struct rg_error *err)
{
    uint32_t id, parent;
    if (!index_of(j, "a", h->most, &id) || !index_of(j, "parent", h->most, &parent))
        return bad(h, number, "an action needs its number and its parent", err);
    struct deed *d = &h->deeds[id];
    const char *family = json_string_value(json_object_get(j, "family"));
    const char *site = json_string_value(json_object_get(j, "site"));
    *d = (struct deed){parent, edge_of(h, j, number), family ? family : json_string_value(json_object_get(j, "coder")),
                       true, site && rg__leaves_out(site)};
    return RG_OK;
}

static enum rg_status take_figure(struct harvest *h, const json_t *j, int number, uint32_t *node, enum rg_outcome *o,
                                  struct rg_error *err)
{
    const char *word = json_string_value(json_object_get(j, "outcome"));
    int outcome = word ? rg_outcome_parse(word) : -1;
    if (outcome < 0) return bad(h, number, "an outcome is missing or unknown", err);
    *o = (enum rg_outcome)outcome;
    *node = RG__NONE;
    if (json_is_null(json_object_get(j, "node"))) return RG_OK;
    if (!index_of(j, "node", h->most, node)) return bad(h, number, "a node's number is wrong", err);
    double t = rg_json_any_number_read(json_object_get(j, "time_us"), 0);
    struct rg__figure *f = &h->figures[*node];
    f->measured = json_is_true(json_object_get(j, "measured"));
    f->outcome = *o;
    f->time_us = *o == RG_OUTCOME_OK && isfinite(t) && t > 0 ? t : 0;
    f->n_values = 0;
    const char *name;
    const json_t *v;
    json_object_foreach((json_t *)json_object_get(j, "vector"), name, v)
    {
        if (!json_is_integer(v) || f->n_values == RG_MAX_TUNABLES) return bad(h, number, "a vector is wrong", err);
        f->values[f->n_values++] = (struct rg__value){name, json_integer_value(v)};
    }
    if ((int)*node >= h->n_figures) h->n_figures = (int)*node + 1;
    return RG_OK;
}

static enum rg_status take_result(struct harvest *h, const json_t *j, int number, struct rg_error *err)
{
    uint32_t id, node;
    enum rg_outcome o;
    if (!index_of(j, "a", h->most, &id) || !h->deeds[id].known)
        return bad(h, number, "a result without its action", err);
    enum rg_status st = take_figure(h, j, number, &node, &o, err);
    struct deed *d = &h->deeds[id];
    if (json_object_get(j, "step")) d->edge = edge_of(h, j, number); /* another one than was asked for */
    if (st != RG_OK || !json_is_true(json_object_get(j, "credit")) || d->edge < 0 || !d->coder) return st;
    bool noop = json_is_true(json_object_get(j, "noop"));
    if (node == RG__NONE && o == RG_OUTCOME_OK) return bad(h, number, "a failure with the outcome ok", err);
    RG_GROW(h->credits, h->n_credits, h->cap_credits);
    h->credits[h->n_credits++] = (struct rg__credit){.regraph_edge = d->edge,
                                                     .coder = d->coder,
                                                     .parent = d->parent,
                                                     .child = noop ? RG__NONE : node,
                                                     .noop = noop,
                                                     .left_out = d->left_out,
                                                     .outcome = o};
    return RG_OK;
}

static enum rg_status harvest_line(struct harvest *h, const json_t *j, int number, struct rg_error *err)
{
    const char *kind = json_string_value(json_object_get(j, "line"));
    uint32_t node;
    enum rg_outcome o;
    if (!strcmp(kind, "action")) return take_action(h, j, number, err);
    if (!strcmp(kind, "result")) return take_result(h, j, number, err);
    if (!strcmp(kind, "settled")) return take_figure(h, j, number, &node, &o, err);
    if (!strcmp(kind, "final") && !json_is_null(json_object_get(j, "node")) && !index_of(j, "node", h->most, &h->best))
        return bad(h, number, "a node's number is wrong", err);
    if (!strcmp(kind, "naive")) {
        double t = rg_json_any_number_read(json_object_get(j, "time_us"), 0);
        if (!isfinite(t) || t <= 0) return bad(h, number, "naive's time must be positive", err);
        h->naive_us = t;
    }
    return RG_OK;
}

static const char *text_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

void rg__origin_read(const json_t *run, struct rg_provenance *out)
{
    const json_t *o = json_object_get(json_object_get(run, "clock"), "origin");
    *out = (struct rg_provenance){text_of(o, "date"), text_of(o, "version"), text_of(o, "machine")};
}

enum rg_status rg__journal_evidence_text(const char *text, size_t len, const char *name, const struct rg_regraph *g,
                                         struct rg_search_row **rows, int *n, struct rg_error *err)
{
    *rows = NULL;
    *n = 0;
    struct rg__old_lines lines;
    enum rg_status st = rg__old_lines_parse(text, len, name, &lines, err);
    if (st == RG_OK && lines.n == 0) st = rg_error_set(err, RG_INPUT, "%s: the journal is empty", name);
    if (st != RG_OK) {
        rg__old_lines_release(&lines);
        return st;
    }
    struct harvest h = {.name = name, .g = g, .most = lines.n, .best = RG__NONE};
    h.deeds = rg_xcalloc((size_t)lines.n + 1, sizeof *h.deeds);
    h.figures = rg_xcalloc((size_t)lines.n + 1, sizeof *h.figures);
    for (int i = 1; i < lines.n && st == RG_OK; i++)
        st = harvest_line(&h, lines.items[i].json, lines.items[i].number, err);
    const json_t *run = lines.items[0].json;
    const char *id = json_string_value(json_object_get(run, "run")),
               *device = json_string_value(json_object_get(run, "device")),
               *klass = json_string_value(json_object_get(run, "class"));
    if (st == RG_OK && (!id || !device || !klass)) st = bad(&h, 1, "the line \"run\" needs run, device and class", err);
    const char *program = json_string_value(json_object_get(run, "program"));
    const struct rg_circumstances at = {device, klass, program ? program : "", NULL};
    struct rg_provenance origin;
    rg__origin_read(run, &origin);
    if (st == RG_OK)
        rg__evidence_rows(h.credits, h.n_credits, h.figures, h.n_figures, h.best, h.naive_us, &at, id, &origin, rows,
                          n);
    free(h.deeds);
    free(h.figures);
    free(h.credits);
    rg__old_lines_release(&lines);
    return st;
}

enum rg_status rg_journal_evidence(const char *path, const struct rg_regraph *g, struct rg_search_row **rows, int *n,
                                   struct rg_error *err)
{
    char *text;
    size_t len;
    *rows = NULL;
    *n = 0;
    enum rg_status st = rg_file_read(path, 0, &text, &len, err);
    if (st != RG_OK) return st;
    st = rg__journal_evidence_text(text, len, path, g, rows, n, err);
    free(text);
    return st;
}
