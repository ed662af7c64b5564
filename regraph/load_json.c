/* Reading a regraph file. The document is checked whole before a graph is given. */
#include "regraph/loader.h"

#include <math.h>
#include <rg/file.h>
#include <rg/regraph_tools.h>
#include <errno.h>
#include <stdio.h>
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

static enum rg_status mistyped(struct rg__loader *l, const struct rg__place *at, const char *key, const char *what)
{
    return rg__graph_load_fail(l, at, key, "\"%s\" must be %s", key, what);
}

enum rg_status rg__graph_load_text(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                             bool needed, const char **out)
{
    const json_t *v = json_object_get(o, key);
    if (!v) return absent(l, at, key, needed);
    if (!json_is_string(v)) return mistyped(l, at, key, "a string");
    *out = rg_arena_strdup(&l->g->arena, json_string_value(v));
    return RG_OK;
}

enum rg_status rg__graph_load_real(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                             bool needed, double *out)
{
    const json_t *v = json_object_get(o, key);
    if (!v) return absent(l, at, key, needed);
    if (!json_is_number(v) || !isfinite(json_number_value(v))) return mistyped(l, at, key, "a number");
    *out = json_number_value(v);
    if (*out == 0) *out = 0; /* no minus zero: same content, same bytes */
    return RG_OK;
}

enum rg_status rg__graph_load_int(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                            bool needed, int64_t *out)
{
    const json_t *v = json_object_get(o, key);
    if (!v) return absent(l, at, key, needed);
    if (!json_is_integer(v)) return mistyped(l, at, key, "an integer");
    *out = json_integer_value(v);
    return RG_OK;
}

enum rg_status rg__graph_load_array(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                              bool needed, json_t **out)
{
    *out = json_object_get(o, key);
    if (!*out) return absent(l, at, key, needed);
    return json_is_array(*out) ? RG_OK : mistyped(l, at, key, "a list");
}

enum rg_status rg__graph_load_object(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                               json_t **out)
{
    *out = json_object_get(o, key);
    return !*out || json_is_object(*out) ? RG_OK : mistyped(l, at, key, "an object");
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

/* --- evidence --- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum rg_status load_runs(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                struct rg_evidence *e)
{
    json_t *list;
    RG__TRY(rg__graph_load_array(l, at, o, "runs", false, &list));
    if (!list) return rg__graph_load_text(l, at, o, "run", true, &e->run);
    const struct rg__place here = {at, "runs", 0};
    size_t n = json_array_size(list);
    if (json_object_get(o, "run") || n == 0)
        return rg__graph_load_fail(l, &here, NULL, "a row has one \"run\", or \"runs\" that were folded into it");
    e->runs = rg_arena_alloc(&l->g->arena, n * sizeof *e->runs);
    for (size_t i = 0; i < n; i++) {
        const char *run = json_string_value(json_array_get(list, i));
        const struct rg__place item = {&here, NULL, (int)i};
        if (!run) return rg__graph_load_fail(l, &item, NULL, "\"runs\" is a list of run ids");
        e->runs[i] = rg_arena_strdup(&l->g->arena, run);
    }
    qsort(e->runs, n, sizeof *e->runs, by_text);
    e->n_runs = (int)n;
    e->run = "";
    if (n == 1) { /* one way to write one run */
        e->run = e->runs[0];
        e->runs = NULL;
        e->n_runs = 0;
    }
    return RG_OK;
}

/* {"NAME": {"VALUE": count}} */
static enum rg_status load_tuned(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                 struct rg_evidence *e)
{
    enum { most = 4096 };
    json_t *names, *values, *count;
    const char *name, *text;
    size_t n = 0;
    RG__TRY(rg__graph_load_object(l, at, o, "tuned", &names));
    const struct rg__place here = {at, "tuned", 0};
    json_object_foreach(names, name, values)
    {
        if (!json_is_object(values)) return mistyped(l, &here, name, "an object");
        n += json_object_size(values);
    }
    if (n > most) return rg__graph_load_fail(l, &here, NULL, "more than %d values", most);
    if (n == 0) return RG_OK;
    struct rg_tuned *tuned = rg_arena_alloc(&l->g->arena, n * sizeof *tuned);
    json_object_foreach(names, name, values)
    {
        const struct rg__place inner = {&here, name, 0};
        json_object_foreach(values, text, count)
        {
            char *end, back[32];
            errno = 0;
            long long v = strtoll(text, &end, 10);
            snprintf(back, sizeof back, "%lld", v);
            if (errno || strcmp(back, text)) /* one way to write a value */
                return rg__graph_load_fail(l, &inner, text, "'%s' is no integer", text);
            if (!json_is_integer(count)) return mistyped(l, &inner, text, "an integer");
            tuned[e->n_tuned++] =
                (struct rg_tuned){rg_arena_strdup(&l->g->arena, name), v, json_integer_value(count)};
        }
    }
    qsort(tuned, n, sizeof *tuned, rg__tuned_compare);
    e->tuned = tuned;
    return RG_OK;
}

static enum rg_status load_row(struct rg__loader *l, const struct rg__place *at, const json_t *o, struct rg__link *link)
{
    static const char *const members[] = {"device", "class", "coder", "run", "runs", "n",
                                          "ok",     "sum",   "sumsq", "max", "fail", "lead", "tuned"};
    struct rg__row row = {{0}, {0, NULL}};
    struct rg_evidence *e = &row.e;
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "a row of evidence is an object");
    RG__TRY(rg__graph_load_text(l, at, o, "device", true, &e->device));
    RG__TRY(rg__graph_load_text(l, at, o, "class", true, &e->klass));
    if (rg_class_parse(e->klass) < 0)
        return rg__graph_load_fail(l, at, "class", "unknown class word '%s' (docs/graph.md lists them)", e->klass);
    RG__TRY(rg__graph_load_text(l, at, o, "coder", true, &e->coder));
    RG__TRY(load_runs(l, at, o, e));
    RG__TRY(rg__graph_load_int(l, at, o, "n", true, &e->n));
    RG__TRY(rg__graph_load_int(l, at, o, "ok", true, &e->ok));
    e->max = INT64_MIN;
    RG__TRY(rg__graph_load_int(l, at, o, "sum", e->ok > 0, &e->sum));
    RG__TRY(rg__graph_load_int(l, at, o, "sumsq", e->ok > 0, &e->sumsq));
    RG__TRY(rg__graph_load_int(l, at, o, "max", e->ok > 0, &e->max));
    json_t *fail, *count;
    const char *word;
    RG__TRY(rg__graph_load_object(l, at, o, "fail", &fail));
    const struct rg__place here = {at, "fail", 0};
    json_object_foreach(fail, word, count)
    {
        int kind = rg_outcome_parse(word);
        if (kind < 0 || kind == RG_OUTCOME_OK)
            return rg__graph_load_fail(l, &here, word, "unknown outcome word '%s' (docs/graph.md lists them)", word);
        if (!json_is_integer(count)) return mistyped(l, &here, word, "an integer");
        e->fail[kind] = json_integer_value(count);
    }
    RG__TRY(rg__graph_load_int(l, at, o, "lead", false, &e->lead));
    RG__TRY(load_tuned(l, at, o, e));
    const char *fault = rg__row_fault(e);
    if (fault) return rg__graph_load_fail(l, at, NULL, "row of evidence: %s", fault);
    row.extra = rg__graph_load_extra(l, at, o, members, (int)(sizeof members / sizeof members[0]));
    rg__add_row(link, row);
    return RG_OK;
}

static int by_row_key(const void *a, const void *b)
{
    const struct rg__row *x = *(struct rg__row *const *)a, *y = *(struct rg__row *const *)b;
    int c = rg__row_key_compare(&x->e, &y->e);
    return c ? c : (x > y) - (x < y);
}

static enum rg_status load_rows(struct rg__loader *l, const struct rg__place *at, const json_t *list,
                                struct rg__link *link)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const struct rg__place item = {at, NULL, (int)i};
        RG__TRY(load_row(l, &item, json_array_get(list, i), link));
    }
    struct rg__row **sorted = rg_xcalloc((size_t)link->n_rows + 1, sizeof *sorted);
    const struct rg__row *second = NULL;
    for (int i = 0; i < link->n_rows; i++) sorted[i] = &link->rows[i];
    qsort(sorted, (size_t)link->n_rows, sizeof *sorted, by_row_key);
    for (int i = 1; i < link->n_rows && !second; i++)
        if (rg__row_key_compare(&sorted[i - 1]->e, &sorted[i]->e) == 0) second = sorted[i];
    free(sorted);
    if (second) {
        const struct rg__place item = {at, NULL, (int)(second - link->rows)};
        return rg__graph_load_fail(l, &item, NULL, "a second row for device '%s', class '%s', coder '%s' and the same run",
                             second->e.device, second->e.klass, second->e.coder);
    }
    rg__join_rows(link); /* rows of runs that a compacted row tells of go */
    return RG_OK;
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

static enum rg_status load_edge(struct rg__loader *l, const struct rg__place *at, const json_t *o, bool *seen)
{
    static const char *const members[] = {"from", "to", "prior", "confidence", "note", "evidence"};
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "an edge is an object");
    struct rg_regraph *g = l->g;
    struct rg_edge e = {.confidence = 1};
    RG__TRY(load_end(l, at, o, "from", &e.from));
    RG__TRY(load_end(l, at, o, "to", &e.to));
    bool *mark = &seen[(size_t)(e.from + 1) * (size_t)g->n_nodes + (size_t)e.to];
    if (*mark) return rg__graph_load_fail(l, at, NULL, "a second edge from '%s' to '%s'", rg__id(g, e.from), rg__id(g, e.to));
    *mark = true;
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
    RG__TRY(load_rows(l, &here, rows, link));
    link->extra = rg__graph_load_extra(l, at, o, members, (int)(sizeof members / sizeof members[0]));
    return RG_OK;
}

static enum rg_status load_edges(struct rg__loader *l, const json_t *list)
{
    const struct rg__place edges = {NULL, "edges", 0};
    size_t n = (size_t)l->g->n_nodes;
    bool *seen = rg_xcalloc((n + 1) * n + 1, sizeof *seen);
    enum rg_status s = RG_OK;
    for (size_t i = 0; s == RG_OK && i < json_array_size(list); i++) {
        const struct rg__place item = {&edges, NULL, (int)i};
        s = load_edge(l, &item, json_array_get(list, i), seen);
    }
    free(seen);
    return s;
}

/* --- the document --- */

static enum rg_status load_document(struct rg__loader *l, const json_t *doc)
{
    enum { most_steps = 4096 }; /* far beyond any method catalogue; keeps the table of edges small */
    static const char *const members[] = {"format", "name", "steps", "edges"};
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
    rg__settle(l->g); /* edges are looked up by id */
    RG__TRY(load_edges(l, edges));
    l->g->extra = rg__graph_load_extra(l, NULL, doc, members, 4);
    rg__settle(l->g);
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
    struct rg__loader l = {g, text, name, len, err, notes};
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
    struct rg__loader l = {g, text, name, len, err, NULL};
    enum rg_status s = rg__graph_load_step(&l, NULL, o);
    json_decref(o);
    return s;
}
