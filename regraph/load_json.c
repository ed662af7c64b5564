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

enum rg_status rg__graph_load_fail(struct rg__loader *l, const struct rg__place *at, const char *key, const char *fmt, ...)
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

enum rg_status rg__graph_load_mistyped(struct rg__loader *l, const struct rg__place *at, const char *key, const char *what)
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
    json_object_foreach((json_t *)o, key, value)
    {
        bool is_known = false;
        for (int i = 0; i < n_known; i++) is_known = is_known || strcmp(known[i], key) == 0;
        if (is_known) continue;
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

static enum rg_status load_edge(struct rg__loader *l, const struct rg__place *at, const json_t *o, unsigned char *seen)
{
    static const char *const members[] = {"from", "to", "prior", "confidence", "note", "evidence"};
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "an edge is an object");
    struct rg_regraph *g = l->g;
    struct rg_edge e = {.confidence = 1};
    RG__TRY(load_end(l, at, o, "from", &e.from));
    RG__TRY(load_end(l, at, o, "to", &e.to));
    size_t pair = (size_t)(e.from + 1) * (size_t)g->n_nodes + (size_t)e.to;
    if (seen[pair / 8] >> pair % 8 & 1) return rg__graph_load_fail(l, at, NULL, "a second edge from '%s' to '%s'", rg__id(g, e.from), rg__id(g, e.to));
    seen[pair / 8] |= (unsigned char)(1u << pair % 8);
    RG__TRY(rg__graph_load_real(l, at, o, "prior", true, &e.prior));
    RG__TRY(rg__graph_load_real(l, at, o, "confidence", false, &e.confidence));
    if (rg__opinion_fault(e.prior, 0)) return rg__graph_load_fail(l, at, "prior", "%s", rg__opinion_fault(e.prior, 0));
    if (rg__opinion_fault(0, e.confidence))
        return rg__graph_load_fail(l, at, "confidence", "%s", rg__opinion_fault(0, e.confidence));
    RG__TRY(rg__graph_load_text(l, at, o, "note", false, &e.note));
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

static enum rg_status load_edges(struct rg__loader *l, const json_t *list)
{
    const struct rg__place edges = {NULL, "edges", 0};
    size_t n = (size_t)l->g->n_nodes;
    unsigned char *seen = rg_xcalloc((n + 1) * n / 8 + 1, sizeof *seen); /* a bit a pair */
    enum rg_status s = RG_OK;
    for (size_t i = 0; s == RG_OK && i < json_array_size(list); i++) {
        const struct rg__place item = {&edges, NULL, (int)i};
        s = load_edge(l, &item, json_array_get(list, i), seen);
    }
    free(seen);
    return s;
}

/* --- the document --- */

struct named {
    const char *id;
    int index;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int c = strcmp(x->id, y->id);
    return c ? c : (x->index > y->index) - (x->index < y->index);
}

/* The first step, in the order of the file, whose id another has before it. Cost O(n log n). */
static enum rg_status once_each(struct rg__loader *l, const struct rg__place *steps)
{
    int n = l->g->n_nodes, second = n;
    struct named *ids = rg_xcalloc((size_t)n + 1, sizeof *ids);
    for (int i = 0; i < n; i++) ids[i] = (struct named){l->g->nodes[i].step.id, i};
    if (n > 1) qsort(ids, (size_t)n, sizeof *ids, by_name);
    for (int i = 1; i < n; i++)
        if (!strcmp(ids[i].id, ids[i - 1].id) && ids[i].index < second) second = ids[i].index;
    free(ids);
    const struct rg__place item = {steps, NULL, second};
    return second == n ? RG_OK : rg__graph_load_fail(l, &item, "id", "duplicate step id '%s'", l->g->nodes[second].step.id);
}

static enum rg_status load_document(struct rg__loader *l, const json_t *doc)
{
    enum { most_steps = 16384 }; /* far beyond any method catalogue; keeps the table of edges small */
    static const char *const members[] = {"format", "name", "baseline", "steps", "edges"};
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
    if (json_array_size(steps) > most_steps) return rg__graph_load_fail(l, &here, NULL, "more than %d steps", most_steps);
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const struct rg__place item = {&here, NULL, (int)i};
        RG__TRY(rg__graph_load_step(l, &item, json_array_get(steps, i)));
    }
    RG__TRY(once_each(l, &here));
    rg__regraph_settle(l->g); /* edges are looked up by id */
    RG__TRY(rg__graph_load_baseline(l, doc));
    RG__TRY(load_edges(l, edges));
    l->g->extra = rg__graph_load_extra(l, NULL, doc, members, (int)(sizeof members / sizeof *members));
    rg__regraph_settle(l->g);
    return RG_OK;
}

enum rg_status rg_regraph_parse(const char *text, size_t len, const char *name, struct rg_regraph **out,
                                struct rg_error *err)
{
    return rg_regraph_parse_noting(text, len, name, NULL, out, err);
}

enum rg_status rg_regraph_parse_noting(const char *text, size_t len, const char *name, struct rg_buf *notes,
                                       struct rg_regraph **out, struct rg_error *err)
{
    *out = NULL;
    if (!name) name = "regraph";
    json_t *doc = rg_json_parse(text, len, name, err);
    if (!doc) return RG_INPUT;
    struct rg_regraph *g = rg__new("");
    struct rg__loader l = {g, text, name, len, err, notes, .whole = true};
    enum rg_status s = load_document(&l, doc);
    json_decref(doc);
    if (s == RG_OK)
        *out = g;
    else
        rg_regraph_free(g);
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
                              struct rg_error *err)
{
    json_t *o = rg_json_parse(text, len, name, err);
    if (!o) return RG_INPUT;
    struct rg__loader l = {g, text, name, len, err, NULL, .whole = false};
    enum rg_status s = rg__graph_load_step(&l, NULL, o);
    json_decref(o);
    return s;
}
