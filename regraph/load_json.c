/* Reading a regraph file. The document is checked whole before a graph is given. */
#include "regraph/loader.h"

#include <math.h>
#include <rg/file.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

/* --- errors with a place --- */

static void add_path(struct rg_buf *b, const struct rg__place *p)
{
    if (!p) return;
    add_path(b, p->up);
    if (b->len) rg_buf_char(b, '/');
    if (p->key)
        rg_buf_str(b, p->key);
    else
        rg_buf_printf(b, "%d", p->index);
}

/* A member may be missing or spelled with escapes: then the nearest object around it. */
static void find_place(const struct rg__loader *l, const struct rg__place *at, const char *key, int *line, int *column)
{
    struct rg_buf path = RG_BUF_INIT;
    const struct rg__place member = {at, key, 0};
    *line = *column = 1;
    add_path(&path, key ? &member : at);
    while (!rg_json_position(l->text, l->len, path.data, line, column) && path.len > 0) {
        char *slash = strrchr(path.data, '/');
        size_t len = slash ? (size_t)(slash - path.data) : 0;
        path.data[len] = '\0';
        path.len = len;
    }
    rg_buf_release(&path);
}

void rg__graph_load_note(struct rg__loader *l, const struct rg__place *at, const char *key, const char *fmt, ...)
{
    int line, column;
    if (!l->notes) return;
    find_place(l, at, key, &line, &column);
    rg_buf_printf(l->notes, "%d:%d: ", line, column);
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(l->notes, fmt, ap);
    va_end(ap);
    rg_buf_char(l->notes, '\n');
}

enum rg_status rg__graph_load_fail(struct rg__loader *l, const struct rg__place *at, const char *key, const char *fmt,
                                   ...)
{
    char text[900];
    int line, column;
    find_place(l, at, key, &line, &column);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return rg_error_at(l->err, RG_INPUT, l->file, line, column, "%s", text);
}

/* --- members --- */

static enum rg_status absent(struct rg__loader *l, const struct rg__place *at, const char *key, bool needed)
{
    return needed ? rg__graph_load_fail(l, at, NULL, "member \"%s\" is missing", key) : RG_OK;
}

enum rg_status rg__graph_load_mistyped(struct rg__loader *l, const struct rg__place *at, const char *key,
                                       const char *what)
{
    return rg__graph_load_fail(l, at, key, "\"%s\" must be %s", key, what);
}

enum rg_status rg__graph_load_text(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   bool needed, const char **out)
{
    const json_t *v = json_object_get(o, key);
    if (!v) return absent(l, at, key, needed);
    if (!json_is_string(v)) return rg__graph_load_mistyped(l, at, key, "a string");
    *out = rg_arena_strdup(&l->g->arena, json_string_value(v));
    return RG_OK;
}

enum rg_status rg__graph_load_real(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   bool needed, double *out)
{
    const json_t *v = json_object_get(o, key);
    if (!v) return absent(l, at, key, needed);
    if (!json_is_number(v) || !isfinite(json_number_value(v))) return rg__graph_load_mistyped(l, at, key, "a number");
    *out = json_number_value(v);
    if (*out == 0) *out = 0; /* no minus zero: same content, same bytes */
    return RG_OK;
}

enum rg_status rg__graph_load_int(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                  bool needed, int64_t *out)
{
    const json_t *v = json_object_get(o, key);
    if (!v) return absent(l, at, key, needed);
    if (!json_is_integer(v)) return rg__graph_load_mistyped(l, at, key, "an integer");
    *out = json_integer_value(v);
    return RG_OK;
}

enum rg_status rg__graph_load_array(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                    bool needed, json_t **out)
{
    *out = json_object_get(o, key);
    if (!*out) return absent(l, at, key, needed);
    return json_is_array(*out) ? RG_OK : rg__graph_load_mistyped(l, at, key, "a list");
}

enum rg_status rg__graph_load_object(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                     json_t **out)
{
    *out = json_object_get(o, key);
    return !*out || json_is_object(*out) ? RG_OK : rg__graph_load_mistyped(l, at, key, "an object");
}

enum rg_status rg__graph_load_flag(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   bool *out)
{
    const json_t *v = json_object_get(o, key);
    if (v && !json_is_boolean(v)) return rg__graph_load_mistyped(l, at, key, "true or false");
    *out = json_is_true(v);
    return RG_OK;
}

enum rg_status rg__graph_load_date(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   const char **out)
{
    RG__TRY(rg__graph_load_text(l, at, o, key, false, out));
    if (*out && **out && !rg__date_ok(*out)) return rg__graph_load_mistyped(l, at, key, "a date like 2026-11-23");
    return RG_OK;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct rg__member *)a)->key, ((const struct rg__member *)b)->key);
}

/* The known member that one wrong, missing or extra letter, or two swapped ones, make of `key`; NULL none. */
static const char *meant(const char *key, const char *const *known, int n_known)
{
    size_t n = strlen(key);
    for (int i = 0; i < n_known; i++) {
        size_t m = strlen(known[i]), head = 0, tail = 0;
        while (head < n && head < m && key[head] == known[i][head]) head++;
        while (tail < n - head && tail < m - head && key[n - 1 - tail] == known[i][m - 1 - tail]) tail++;
        size_t a = n - head - tail, b = m - head - tail; /* what differs */
        bool swapped = a == 2 && b == 2 && key[head] == known[i][head + 1] && key[head + 1] == known[i][head];
        if (swapped || (a <= 1 && b <= 1)) return known[i];
    }
    return NULL;
}

struct rg__extra rg__graph_load_extra(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                      const char *const *known, int n_known)
{
    struct rg__extra x = {0, NULL};
    const char *key;
    json_t *value;
    int next = 0;
    json_object_foreach((json_t *)o, key, value)
    {
        int tried = 0; /* members stand in the same order in most files */
        while (tried < n_known && strcmp(known[(next + tried) % n_known], key) != 0) tried++;
        if (tried < n_known) {
            next = (next + tried + 1) % n_known;
            continue;
        }
        const char *guess = l->notes ? meant(key, known, n_known) : NULL;
        rg__graph_load_note(l, at, key, "unknown member \"%s\"%s%s%s: it is kept and means nothing here", key,
                            guess ? " (did you mean \"" : "", guess ? guess : "", guess ? "\"?)" : "");
        if (!x.items) x.items = rg_arena_alloc(&l->g->arena, json_object_size(o) * sizeof *x.items);
        char *json = json_dumps(value, JSON_SORT_KEYS | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
        x.items[x.n++] = (struct rg__member){rg_arena_strdup(&l->g->arena, key),
                                             rg_arena_strdup(&l->g->arena, json ? json : "null")};
        free(json);
    }
    if (x.n > 1) qsort(x.items, (size_t)x.n, sizeof *x.items, by_key);
    return x;
}

/* --- edges --- */

static enum rg_status load_end(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                               int *out)
{
    const char *id = NULL;
    RG__TRY(rg__graph_load_text(l, at, o, key, true, &id));
    bool from = key[0] == 'f';
    *out = -1;
    if (from && strcmp(id, "@start") == 0) return RG_OK;
    *out = rg_regraph_find(l->g, id);
    if (*out >= 0) return RG_OK;
    if (strcmp(id, "@start") == 0) return rg__graph_load_fail(l, at, key, "no edge leads to @start");
    return rg__graph_load_fail(l, at, key, "edge names unknown step '%s'", id);
}

static enum rg_status load_edge(struct rg__loader *l, const struct rg__place *at, const json_t *o)
{
    static const char *const members[] = {"from",   "to",   "prior", "confidence", "note",
                                          "author", "date", "never", "evidence"};
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "an edge is an object");
    struct rg_regraph *g = l->g;
    struct rg_edge e = {.confidence = 1};
    RG__TRY(load_end(l, at, o, "from", &e.from));
    RG__TRY(load_end(l, at, o, "to", &e.to));
    RG__TRY(rg__graph_load_real(l, at, o, "prior", true, &e.prior));
    RG__TRY(rg__graph_load_real(l, at, o, "confidence", false, &e.confidence));
    if (rg__opinion_fault(e.prior, 0)) return rg__graph_load_fail(l, at, "prior", "%s", rg__opinion_fault(e.prior, 0));
    if (rg__opinion_fault(0, e.confidence))
        return rg__graph_load_fail(l, at, "confidence", "%s", rg__opinion_fault(0, e.confidence));
    RG__TRY(rg__graph_load_text(l, at, o, "note", false, &e.note));
    RG__TRY(rg__graph_load_text(l, at, o, "author", false, &e.author));
    RG__TRY(rg__graph_load_date(l, at, o, "date", &e.date));
    RG__TRY(rg__graph_load_flag(l, at, o, "never", &e.never));
    json_t *rows;
    RG__TRY(rg__graph_load_array(l, at, o, "evidence", false, &rows));
    RG_GROW(g->links, g->n_links, g->cap_links);
    struct rg__link *link = &g->links[g->n_links++];
    *link = (struct rg__link){.edge = e};
    const struct rg__place here = {at, "evidence", 0};
    RG__TRY(rg__graph_load_rows(l, &here, rows, link));
    link->extra = rg__graph_load_extra(l, at, o, members, (int)(sizeof members / sizeof members[0]));
    return RG_OK;
}

static int by_ends(const void *x, const void *y)
{
    const struct rg__link *a = *(struct rg__link *const *)x, *b = *(struct rg__link *const *)y;
    int c = (a->edge.from > b->edge.from) - (a->edge.from < b->edge.from);
    if (!c) c = (a->edge.to > b->edge.to) - (a->edge.to < b->edge.to);
    return c ? c : (a > b) - (a < b); /* as in the file: the second one is the wrong one */
}

static enum rg_status load_edges(struct rg__loader *l, const json_t *list)
{
    const struct rg__place edges = {NULL, "edges", 0};
    struct rg_regraph *g = l->g;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const struct rg__place item = {&edges, NULL, (int)i};
        RG__TRY(load_edge(l, &item, json_array_get(list, i)));
    }
    struct rg__link **sorted = rg_xcalloc((size_t)g->n_links + 1, sizeof *sorted);
    const struct rg__link *second = NULL;
    for (int i = 0; i < g->n_links; i++) sorted[i] = &g->links[i];
    qsort(sorted, (size_t)g->n_links, sizeof *sorted, by_ends);
    for (int i = 1; i < g->n_links; i++) {
        const struct rg_edge *a = &sorted[i - 1]->edge, *b = &sorted[i]->edge;
        if (a->from == b->from && a->to == b->to && (!second || sorted[i] < second)) second = sorted[i];
    }
    free(sorted);
    if (!second) return RG_OK;
    const struct rg__place item = {&edges, NULL, (int)(second - g->links)};
    return rg__graph_load_fail(l, &item, NULL, "a second edge from '%s' to '%s'", rg__id(g, second->edge.from),
                               rg__id(g, second->edge.to));
}

static int by_id(const void *x, const void *y)
{
    const struct rg__node *a = *(struct rg__node *const *)x, *b = *(struct rg__node *const *)y;
    int c = strcmp(a->step.id, b->step.id);
    return c ? c : (a > b) - (a < b);
}

static enum rg_status load_steps(struct rg__loader *l, const json_t *list)
{
    const struct rg__place here = {NULL, "steps", 0};
    struct rg_regraph *g = l->g;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const struct rg__place item = {&here, NULL, (int)i};
        RG__TRY(rg__graph_load_step(l, &item, json_array_get(list, i)));
    }
    struct rg__node **sorted = rg_xcalloc((size_t)g->n_nodes + 1, sizeof *sorted);
    const struct rg__node *second = NULL;
    for (int i = 0; i < g->n_nodes; i++) sorted[i] = &g->nodes[i];
    qsort(sorted, (size_t)g->n_nodes, sizeof *sorted, by_id);
    for (int i = 1; i < g->n_nodes; i++)
        if (strcmp(sorted[i - 1]->step.id, sorted[i]->step.id) == 0 && (!second || sorted[i] < second))
            second = sorted[i];
    free(sorted);
    if (!second) return RG_OK;
    const struct rg__place item = {&here, NULL, (int)(second - g->nodes)};
    return rg__graph_load_fail(l, &item, "id", "duplicate step id '%s'", second->step.id);
}

/* --- the document --- */

static enum rg_status load_document(struct rg__loader *l, const json_t *doc)
{
    enum { most_steps = 65536 }; /* far beyond any method catalogue */
    static const char *const members[] = {"format", "name", "baseline", "steps", "edges", "removed"};
    const char *format = NULL;
    json_t *steps, *edges;
    if (!json_is_object(doc)) return rg__graph_load_fail(l, NULL, NULL, "a regraph is a JSON object");
    RG__TRY(rg__graph_load_text(l, NULL, doc, "format", true, &format));
    if (strcmp(format, "regraph/1") != 0)
        return rg__graph_load_fail(l, NULL, "format", "unknown format '%s': this program reads regraph/1", format);
    RG__TRY(rg__graph_load_text(l, NULL, doc, "name", true, &l->g->name));
    RG__TRY(rg__graph_load_array(l, NULL, doc, "steps", true, &steps));
    RG__TRY(rg__graph_load_array(l, NULL, doc, "edges", true, &edges));
    const struct rg__place here = {NULL, "steps", 0};
    if (json_array_size(steps) > most_steps)
        return rg__graph_load_fail(l, &here, NULL, "more than %d steps", most_steps);
    RG__TRY(load_steps(l, steps));
    rg__regraph_settle(l->g); /* edges are looked up by id */
    RG__TRY(rg__graph_load_baseline(l, doc));
    RG__TRY(load_edges(l, edges));
    l->g->extra = rg__graph_load_extra(l, NULL, doc, members, (int)(sizeof members / sizeof *members));
    rg__regraph_settle(l->g);
    return rg__graph_load_removals(l, doc);
}

enum rg_status rg_regraph_parse(const char *text, size_t len, const char *name, struct rg_regraph **out,
                                struct rg_error *err)
{
    return rg_regraph_parse_noting(text, len, name, NULL, out, err);
}

enum rg_status rg__graph_of_json(const json_t *doc, const char *text, size_t len, const char *name,
                                 struct rg_buf *notes, struct rg_regraph **out, struct rg_error *err)
{
    struct rg_regraph *g = rg__new("");
    struct rg__loader l = {g, text, name, len, err, notes};
    enum rg_status s = load_document(&l, doc);
    *out = s == RG_OK ? g : NULL;
    if (s != RG_OK) rg_regraph_free(g);
    return s;
}

enum rg_status rg_regraph_parse_noting(const char *text, size_t len, const char *name, struct rg_buf *notes,
                                       struct rg_regraph **out, struct rg_error *err)
{
    *out = NULL;
    if (!name) name = "regraph";
    json_t *doc = rg_json_parse(text, len, name, err);
    if (!doc) return RG_INPUT;
    enum rg_status s = rg__graph_of_json(doc, text, len, name, notes, out, err);
    json_decref(doc);
    return s;
}

enum rg_status rg_regraph_load(const char *path, struct rg_regraph **out, struct rg_error *err)
{
    enum { most_bytes = 256 << 20 };
    char *text;
    size_t len;
    *out = NULL;
    RG__TRY(rg_file_read(path, most_bytes, &text, &len, err));
    enum rg_status s = rg_regraph_parse(text, len, path, out, err);
    free(text);
    return s;
}

enum rg_status rg__parse_step(struct rg_regraph *g, const char *text, size_t len, const char *name,
                              struct rg_buf *notes, struct rg_error *err)
{
    json_t *o = rg_json_parse(text, len, name, err);
    if (!o) return RG_INPUT;
    struct rg__loader l = {g, text, name, len, err, notes};
    enum rg_status s = rg__graph_load_step(&l, NULL, o);
    json_decref(o);
    if (s != RG_OK) return s;
    const struct rg_step *added = &g->nodes[g->n_nodes - 1].step;
    for (int i = 0; i < g->n_nodes - 1 && s == RG_OK; i++)
        if (strcmp(g->nodes[i].step.id, added->id) == 0)
            s = rg__graph_load_fail(&l, NULL, "id", "duplicate step id '%s'", added->id);
    if (s != RG_OK) g->n_nodes--;
    return s;
}
