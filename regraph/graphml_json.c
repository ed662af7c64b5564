/* The graph as GraphML, by igraph's writer and reader. A step's and an edge's whole content travels as JSON in an
 * attribute `json` (GraphML through igraph keeps neither all bits of a double nor control characters, escaped JSON it
 * does); beside it stand plain attributes for people and their programs. On the way back an attribute that was changed
 * there wins over the JSON. */
#include "base/json_util.h"
#include "regraph/internal.h"
#include "regraph/loader.h"

#include <igraph/igraph.h>
#include <math.h>
#include <rg/regraph_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep_going(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)reason, (void)file, (void)line, (void)code;
    IGRAPH_FINALLY_FREE();
}

static void ignore(const char *reason, const char *file, int line)
{
    (void)reason, (void)file, (void)line;
}

struct session { /* with igraph */
    igraph_error_handler_t *error;
    igraph_warning_handler_t *warning;
    igraph_attribute_table_t *table;
};

static struct session begin(void)
{
    return (struct session){igraph_set_error_handler(keep_going), igraph_set_warning_handler(ignore),
                            igraph_set_attribute_table(&igraph_cattribute_table)};
}

static void end(const struct session *s)
{
    igraph_set_error_handler(s->error);
    igraph_set_warning_handler(s->warning);
    igraph_set_attribute_table(s->table);
}

/* What XML can't hold, or would change, becomes a blank. */
static char *plain(const char *s)
{
    char *out = rg_xstrdup(s ? s : "");
    for (unsigned char *p = (unsigned char *)out; *p; p++) {
        if (*p < 0x20 || *p == 0x7f) *p = ' ';
        if (p[0] == 0xEF && p[1] == 0xBF && p[2] >= 0xBE) p[0] = p[1] = p[2] = ' '; /* U+FFFE, U+FFFF */
    }
    return out;
}

static const char *text_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static char *escaped(const json_t *o)
{
    return json_dumps(o, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
}

/* ---- writing ---- */

static const char *const step_texts[] = {"title", "category", "hint"};
static const char *const edge_reals[] = {"prior", "confidence"};
enum { STEP_TEXTS = 3, EDGE_REALS = 2 };

static igraph_error_t set_vertices(igraph_t *graph, const json_t *steps)
{
    igraph_strvector_t v;
    igraph_integer_t n = (igraph_integer_t)json_array_size(steps) + 1;
    igraph_error_t e = igraph_strvector_init(&v, n);
    if (e) return e;
    for (int a = -2; a < STEP_TEXTS && !e; a++) { /* the name, the JSON, the texts; vertex 0 is @start */
        if (!e) e = igraph_strvector_set(&v, 0, a == -2 ? "@start" : "");
        for (igraph_integer_t i = 1; i < n && !e; i++) {
            const json_t *o = json_array_get(steps, (size_t)i - 1);
            char *text = a == -1 ? escaped(o) : plain(text_of(o, a == -2 ? "id" : step_texts[a]));
            e = igraph_strvector_set(&v, i, text);
            free(text);
        }
        if (!e) e = igraph_cattribute_VAS_setv(graph, a == -2 ? "name" : a == -1 ? "json" : step_texts[a], &v);
    }
    igraph_strvector_destroy(&v);
    return e;
}

static igraph_error_t set_edges(igraph_t *graph, const struct rg_regraph *g, const json_t *edges)
{
    igraph_strvector_t v;
    igraph_vector_t x;
    igraph_integer_t n = (igraph_integer_t)json_array_size(edges);
    igraph_error_t e = igraph_strvector_init(&v, n);
    if (e) return e;
    e = igraph_vector_init(&x, n);
    bool have = !e;
    for (int a = 0; a < 2 && !e; a++) {
        for (igraph_integer_t i = 0; i < n && !e; i++) {
            const json_t *o = json_array_get(edges, (size_t)i);
            char *text = a ? plain(text_of(o, "note")) : escaped(o);
            e = igraph_strvector_set(&v, i, text);
            free(text);
        }
        if (!e) e = igraph_cattribute_EAS_setv(graph, a ? "note" : "json", &v);
    }
    for (int a = 0; a < EDGE_REALS + 1 && !e; a++) {
        for (igraph_integer_t i = 0; i < n; i++) {
            const struct rg_edge *edge = &g->links[i].edge;
            VECTOR(x)[i] = a == 0 ? edge->prior : a == 1 ? edge->confidence : edge->never;
        }
        e = igraph_cattribute_EAN_setv(graph, a < EDGE_REALS ? edge_reals[a] : "never", &x);
    }
    if (have) igraph_vector_destroy(&x);
    igraph_strvector_destroy(&v);
    return e;
}

static igraph_error_t fill(igraph_t *graph, const struct rg_regraph *g, json_t *doc)
{
    igraph_vector_int_t ends;
    igraph_error_t e = igraph_vector_int_init(&ends, 2 * g->n_links);
    if (e) return e;
    for (int i = 0; i < g->n_links; i++) {
        VECTOR(ends)[2 * i] = g->links[i].edge.from + 1;
        VECTOR(ends)[2 * i + 1] = g->links[i].edge.to + 1;
    }
    e = igraph_add_edges(graph, &ends, NULL);
    igraph_vector_int_destroy(&ends);
    if (!e) e = set_vertices(graph, json_object_get(doc, "steps"));
    if (!e) e = set_edges(graph, g, json_object_get(doc, "edges"));
    json_object_del(doc, "steps");
    json_object_del(doc, "edges");
    char *rest = escaped(doc);
    if (!e) e = igraph_cattribute_GAS_set(graph, "regraph", rest);
    free(rest);
    return e;
}

enum rg_status rg_regraph_graphml(const struct rg_regraph *g, struct rg_buf *out, struct rg_error *err)
{
    struct rg_buf text = RG_BUF_INIT;
    char *memory = NULL;
    size_t len = 0;
    enum rg_status s = rg_regraph_print(g, &text, err);
    json_t *doc = s == RG_OK ? rg_json_parse(text.data, text.len, "graph", err) : NULL;
    rg_buf_release(&text);
    if (!doc) return err->status;
    struct session session = begin();
    igraph_t graph;
    igraph_error_t e = igraph_empty(&graph, g->n_nodes + 1, IGRAPH_DIRECTED);
    bool have = !e;
    FILE *f = open_memstream(&memory, &len);
    if (!f) e = IGRAPH_ENOMEM;
    if (!e) e = fill(&graph, g, doc);
    if (!e) e = igraph_write_graph_graphml(&graph, f, true);
    if (f && fclose(f)) e = IGRAPH_ENOMEM;
    if (!e) rg_buf_add(out, memory, len);
    free(memory);
    if (have) igraph_destroy(&graph);
    end(&session);
    json_decref(doc);
    return e ? rg_error_set(err, e == IGRAPH_ENOMEM ? RG_NOMEM : RG_BUG, "igraph: %s", igraph_strerror(e)) : RG_OK;
}

/* ---- reading ---- */

struct given {                   /* which attributes a file has, by type */
    igraph_strvector_t names[3]; /* of the graph, of vertices, of edges */
    igraph_vector_int_t types[3];
};

static bool has(const struct given *a, int of, const char *name, igraph_attribute_type_t type)
{
    for (igraph_integer_t i = 0; i < igraph_strvector_size(&a->names[of]); i++)
        if (!strcmp(igraph_strvector_get(&a->names[of], i), name))
            return (igraph_attribute_type_t)VECTOR(a->types[of])[i] == type;
    return false;
}

static const char *vertex_text(const igraph_t *graph, const struct given *a, const char *name, igraph_integer_t i)
{
    return has(a, 1, name, IGRAPH_ATTRIBUTE_STRING) ? igraph_cattribute_VAS(graph, name, i) : NULL;
}

static const char *edge_text(const igraph_t *graph, const struct given *a, const char *name, igraph_integer_t i)
{
    return has(a, 2, name, IGRAPH_ATTRIBUTE_STRING) ? igraph_cattribute_EAS(graph, name, i) : NULL;
}

/* The JSON that travelled with it; an empty object where there is none (another program's vertex). */
static json_t *own_json(const char *text, struct rg_error *err)
{
    if (!text || !*text) return json_object();
    json_t *o = rg_json_parse(text, strlen(text), "attribute json", err);
    if (o && !json_is_object(o)) {
        json_decref(o);
        rg_error_set(err, RG_INPUT, "attribute json: not an object");
        return NULL;
    }
    return o;
}

/* A text that stands otherwise than it was written out was changed on purpose. */
static void take_text(json_t *o, const char *key, const char *now)
{
    if (!now) return;
    char *was = plain(text_of(o, key));
    if (strcmp(was, now)) {
        if (*now)
            json_object_set_new(o, key, rg_json_text(now));
        else
            json_object_del(o, key);
    }
    free(was);
}

static void take_real(json_t *o, const char *key, double now)
{
    const json_t *was = json_object_get(o, key);
    if (!isfinite(now)) return;
    if (!was || fabs(json_number_value(was) - now) > 1e-9 * fabs(now)) json_object_set_new(o, key, json_real(now));
}

static json_t *read_step(const igraph_t *graph, const struct given *a, igraph_integer_t i, struct rg_error *err)
{
    const char *name = vertex_text(graph, a, "name", i);
    if (!name || !*name) name = vertex_text(graph, a, "id", i); /* GraphML's own */
    json_t *o = own_json(vertex_text(graph, a, "json", i), err);
    if (!o) return NULL;
    take_text(o, "id", name);
    for (int k = 0; k < STEP_TEXTS; k++) take_text(o, step_texts[k], vertex_text(graph, a, step_texts[k], i));
    if (!*text_of(o, "title")) json_object_set_new(o, "title", json_string(text_of(o, "id")));
    return o;
}

static json_t *read_edge(const igraph_t *graph, const struct given *a, igraph_integer_t i, const char *from,
                         const char *to, struct rg_error *err)
{
    json_t *o = own_json(edge_text(graph, a, "json", i), err);
    if (!o) return NULL;
    json_object_set_new(o, "from", json_string(from));
    json_object_set_new(o, "to", json_string(to));
    for (int k = 0; k < EDGE_REALS; k++)
        if (has(a, 2, edge_reals[k], IGRAPH_ATTRIBUTE_NUMERIC))
            take_real(o, edge_reals[k], igraph_cattribute_EAN(graph, edge_reals[k], i));
    take_text(o, "note", edge_text(graph, a, "note", i));
    bool never = has(a, 2, "never", IGRAPH_ATTRIBUTE_NUMERIC)   ? igraph_cattribute_EAN(graph, "never", i) == 1
                 : has(a, 2, "never", IGRAPH_ATTRIBUTE_BOOLEAN) ? igraph_cattribute_EAB(graph, "never", i)
                                                                : json_is_true(json_object_get(o, "never"));
    if (never)
        json_object_set_new(o, "never", json_true());
    else
        json_object_del(o, "never");
    if (!json_object_get(o, "prior")) json_object_set_new(o, "prior", json_real(0.5));
    return o;
}

static json_t *read_document(const igraph_t *graph, const struct given *a, const char *file, struct rg_error *err)
{
    igraph_integer_t n = igraph_vcount(graph), m = igraph_ecount(graph);
    const char *rest = has(a, 0, "regraph", IGRAPH_ATTRIBUTE_STRING) ? igraph_cattribute_GAS(graph, "regraph") : NULL;
    json_t *doc = own_json(rest, err), *steps = json_array(), *edges = json_array();
    const char **ids = rg_xcalloc((size_t)n + 1, sizeof *ids);
    bool fine = doc != NULL;
    for (igraph_integer_t i = 0; i < n && fine; i++) {
        json_t *o = read_step(graph, a, i, err);
        fine = o != NULL;
        if (!fine) break;
        if (!strcmp(text_of(o, "id"), "@start")) {
            ids[i] = "@start";
            json_decref(o);
        } else {
            json_array_append_new(steps, o);
            ids[i] = text_of(o, "id");
            if (!*ids[i])
                fine = !rg_error_at(err, RG_INPUT, file, 1, 1, "vertex %lld has no attribute \"name\"", (long long)i);
        }
    }
    for (igraph_integer_t i = 0; i < m && fine; i++) {
        json_t *o = read_edge(graph, a, i, ids[IGRAPH_FROM(graph, i)], ids[IGRAPH_TO(graph, i)], err);
        fine = o && !json_array_append_new(edges, o);
    }
    free(ids);
    if (fine && !json_object_get(doc, "format")) json_object_set_new(doc, "format", json_string("regraph/1"));
    if (fine && !json_object_get(doc, "name")) json_object_set_new(doc, "name", json_string("imported"));
    if (doc)
        json_object_set_new(doc, "steps", steps);
    else
        json_decref(steps);
    if (doc)
        json_object_set_new(doc, "edges", edges);
    else
        json_decref(edges);
    if (!fine) json_decref(doc);
    return fine ? doc : NULL;
}

static igraph_error_t list_attributes(const igraph_t *graph, struct given *a, int *n)
{
    igraph_error_t e = IGRAPH_SUCCESS;
    for (*n = 0; *n < 3 && !e; ++*n) {
        if ((e = igraph_strvector_init(&a->names[*n], 0))) return e;
        if ((e = igraph_vector_int_init(&a->types[*n], 0))) {
            igraph_strvector_destroy(&a->names[*n]);
            return e;
        }
    }
    return igraph_cattribute_list(graph, &a->names[0], &a->types[0], &a->names[1], &a->types[1], &a->names[2],
                                  &a->types[2]);
}

static json_t *document_of(const igraph_t *graph, const char *name, struct rg_error *err)
{
    struct given a;
    int n;
    json_t *doc = NULL;
    if (list_attributes(graph, &a, &n))
        rg_error_set(err, RG_NOMEM, "no memory");
    else if (!igraph_is_directed(graph))
        rg_error_at(err, RG_INPUT, name, 1, 1, "the edges have no direction");
    else
        doc = read_document(graph, &a, name, err);
    for (int i = 0; i < n; i++) {
        igraph_strvector_destroy(&a.names[i]);
        igraph_vector_int_destroy(&a.types[i]);
    }
    return doc;
}

enum rg_status rg_regraph_from_graphml(const char *text, size_t len, const char *name, struct rg_regraph **out,
                                       struct rg_error *err)
{
    struct rg_error own = RG_ERROR_INIT;
    if (!err) err = &own;
    *out = NULL;
    if (len == 0) return rg_error_at(err, RG_INPUT, name, 1, 1, "the file is empty");
    FILE *f = fmemopen((void *)text, len, "r");
    if (!f) return rg_error_set(err, RG_NOMEM, "no memory");
    struct session session = begin();
    igraph_t graph;
    igraph_error_t e = igraph_read_graph_graphml(&graph, f, 0);
    fclose(f);
    json_t *doc = NULL;
    if (e) {
        if (e == IGRAPH_ENOMEM)
            rg_error_set(err, RG_NOMEM, "no memory");
        else
            rg_error_at(err, RG_INPUT, name, 1, 1, "this is no GraphML that igraph reads (%s)", igraph_strerror(e));
    } else {
        doc = document_of(&graph, name, err);
        igraph_destroy(&graph);
    }
    end(&session);
    if (!doc) return err->status;
    struct rg_error inner = RG_ERROR_INIT; /* places in it would be of a text that nobody has */
    if (rg__graph_of_json(doc, "", 0, name, NULL, out, &inner) != RG_OK)
        rg_error_at(err, inner.status, name, 1, 1, "%s", inner.text);
    json_decref(doc);
    return err->status;
}
