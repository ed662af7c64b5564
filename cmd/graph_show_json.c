/* What `regraph-graph show --json` and the editor are told: steps, edges with the terms of their weights, evidence. */
#include "base/json_util.h"
#include "cmd/graph_view.h"

#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

static void set_text(json_t *o, const char *key, const char *s)
{
    if (s && *s) json_object_set_new(o, key, rg_json_text(s));
}

static json_t *words(uint32_t bits, int count, const char *(*word)(int))
{
    json_t *a = json_array();
    for (int i = 0; i < count; i++)
        if (bits >> i & 1) json_array_append_new(a, json_string(word(i)));
    return a;
}

static const char *limiter_word(int i)
{
    return rg_limiter_word((enum rg_limiter)i);
}

static json_t *step_json(const struct rg_regraph *g, int i, const struct rg_regraph_shape *shape)
{
    const struct rg_step *s = rg_regraph_step(g, i);
    json_t *o = json_object();
    set_text(o, "id", s->id);
    set_text(o, "title", s->title);
    set_text(o, "category", s->category);
    json_object_set_new(o, "when", words(s->when, RG_N_TRAITS, rg_trait_word));
    json_object_set_new(o, "limiter", words(s->limiters, RG_N_LIMITERS, limiter_word));
    set_text(o, "poly", s->poly);
    set_text(o, "hint", s->hint);
    set_text(o, "precondition", s->precondition);
    set_text(o, "source", s->source);
    if (s->example_before) {
        json_t *x = json_object();
        json_object_set_new(x, "before", rg_json_text(s->example_before));
        json_object_set_new(x, "after", rg_json_text(s->example_after));
        json_object_set_new(o, "example", x);
    }
    if (s->never) json_object_set_new(o, "never", json_true());
    json_object_set_new(o, "depth", shape->depth[i] < 0 ? json_null() : json_integer(shape->depth[i]));
    json_object_set_new(o, "centrality", rg_json_number(shape->centrality[i]));
    return o;
}

static json_t *weight_json(const struct rg_weight *w)
{
    const struct {
        const char *name;
        double value;
    } terms[] = {{"score", w->score}, {"prior", w->prior}, {"learnt", w->learnt}, {"bonus", w->bonus}, {"way", w->way},
                 {"chance", w->p_ok}, {"gain", w->gain}, {"sigma", w->sigma}, {"observations", w->n}, {"runs", w->runs},
                 {"led", w->lead}};
    json_t *o = json_object();
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        json_object_set_new(o, terms[i].name, rg_json_number(terms[i].value));
    return o;
}

static json_t *row_json(const struct rg_evidence *r, const struct rg_circumstances *at)
{
    json_t *o = json_object(), *fail = json_object(), *tuned = json_object(), *runs = json_array();
    set_text(o, "device", r->device);
    set_text(o, "class", r->klass);
    set_text(o, "program", r->program);
    set_text(o, "coder", r->coder);
    set_text(o, "date", r->origin.date);
    set_text(o, "version", r->origin.version);
    set_text(o, "machine", r->origin.machine);
    if (!r->n_runs) json_array_append_new(runs, rg_json_text(r->run));
    for (int i = 0; i < r->n_runs; i++) json_array_append_new(runs, rg_json_text(r->runs[i]));
    json_object_set_new(o, "runs", runs);
    json_object_set_new(o, "counts", rg_json_number(rg_evidence_relevance(r, at)));
    json_object_set_new(o, "n", json_integer(r->n));
    json_object_set_new(o, "ok", json_integer(r->ok));
    if (r->ok) json_object_set_new(o, "mean_gain", rg_json_number((double)r->sum * 1e-6 / (double)r->ok));
    if (r->ok) json_object_set_new(o, "max_gain", rg_json_number((double)r->max * 1e-6));
    for (int i = 0; i < RG_N_OUTCOMES; i++)
        if (r->fail[i]) json_object_set_new(fail, rg_outcome_word((enum rg_outcome)i), json_integer(r->fail[i]));
    json_object_set_new(o, "fail", fail);
    json_object_set_new(o, "refused", json_integer(r->refused));
    json_object_set_new(o, "led", json_integer(r->lead));
    for (int i = 0; i < r->n_tuned; i++) {
        json_t *values = json_object_get(tuned, r->tuned[i].name);
        char *value = rg_xasprintf("%lld", (long long)r->tuned[i].value);
        if (!values) json_object_set_new(tuned, r->tuned[i].name, values = json_object());
        json_object_set_new(values, value, json_integer(r->tuned[i].count));
        free(value);
    }
    json_object_set_new(o, "tuned", tuned);
    return o;
}

static json_t *edge_json(const struct rg_regraph *g, int index, const struct rg_weight *w, const struct rg_circumstances *at,
                         bool rows)
{
    const struct rg_edge *e = rg_regraph_edge(g, index);
    json_t *o = json_object();
    json_object_set_new(o, "from", json_string(graph_step_name(g, e->from)));
    json_object_set_new(o, "to", json_string(graph_step_name(g, e->to)));
    json_object_set_new(o, "prior", json_real(e->prior));
    json_object_set_new(o, "confidence", json_real(e->confidence));
    set_text(o, "note", e->note);
    set_text(o, "author", e->author);
    set_text(o, "date", e->date);
    if (e->never) json_object_set_new(o, "never", json_true());
    json_object_set_new(o, "seen", json_integer(graph_seen(e)));
    json_object_set_new(o, "led", json_integer(graph_led(e)));
    json_object_set_new(o, "weight", weight_json(w));
    if (!rows) return o;
    json_t *list = json_array();
    for (int i = 0; i < e->n_evidence; i++) json_array_append_new(list, row_json(&e->evidence[i], at));
    json_object_set_new(o, "evidence", list);
    return o;
}

void graph_json(const struct rg_regraph *g, const bool *steps, const struct graph_rows *rows, const struct graph_view *v,
                int edge, struct rg_buf *out)
{
    const struct rg_circumstances at = graph_view_at(v);
    struct rg_regraph_shape shape;
    struct rg_error err = RG_ERROR_INIT;
    bool shaped = rg_regraph_shape(g, &shape, &err) == RG_OK;
    json_t *o = json_object(), *s = json_array(), *e = json_array();
    json_object_set_new(o, "schema", json_string("regraph-show/1"));
    json_object_set_new(o, "name", rg_json_text(rg_regraph_name(g)));
    for (int i = 0; shaped && i < rg_regraph_steps(g); i++)
        if (steps[i]) json_array_append_new(s, step_json(g, i, &shape));
    for (int i = 0; i < rows->n; i++)
        json_array_append_new(e, edge_json(g, rows->edges[i], &rows->weights[i], &at, rows->edges[i] == edge));
    json_object_set_new(o, "steps", s);
    json_object_set_new(o, "edges", e);
    char *text = rg_json_line(o);
    rg_buf_str(out, text);
    rg_buf_char(out, '\n');
    free(text);
    json_decref(o);
    if (shaped) rg_regraph_shape_release(&shape);
}
