/* Which steps and edges are looked at; tables of them as CSV. */
#include "cmd/graph_view.h"

#include <rg/regraph_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int graph_view_check(const struct rg_command *c, const struct graph_view *v)
{
    char near[160];
    if (v->klass && rg_class_parse(v->klass) < 0)
        return rg_cmd_usage(c, "unknown class '%s'%s", v->klass, rg_word_near(RG_WORDS_CLASS, v->klass, near));
    if (v->category && rg_category_parse(v->category) < 0)
        return rg_cmd_usage(c, "unknown category '%s'%s", v->category,
                            rg_word_near(RG_WORDS_CATEGORY, v->category, near));
    return -1;
}

struct rg_circumstances graph_view_at(const struct graph_view *v)
{
    return (struct rg_circumstances){v->device, v->klass, v->program, v->coder};
}

const char *graph_step_name(const struct rg_regraph *g, int step)
{
    return step < 0 ? "@start" : rg_regraph_step(g, step)->id;
}

int graph_step_named(const struct rg_regraph *g, const char *path, const char *id, int *code)
{
    int step = rg_regraph_find(g, id);
    if (step >= 0 || strcmp(id, "@start") == 0) return step;
    const char *now = rg_regraph_now(g, id);
    char near[160];
    if (strcmp(now, id))
        rg_cmd_message("%s: the step '%s' is now '%s'", path, id, now);
    else
        rg_cmd_message("%s: unknown step '%s'%s", path, id, rg_regraph_did_you_mean(g, id, near));
    *code = RG_EXIT_INPUT;
    return -1;
}

bool *graph_view_steps(const struct rg_regraph *g, const struct graph_view *v, const char *path, int *code)
{
    int n = rg_regraph_steps(g), found = -1, center = v->near ? graph_step_named(g, path, v->near, &found) : -1;
    if (found >= 0) return *code = found, NULL;
    bool *steps = rg_xcalloc((size_t)n + 1, sizeof *steps);
    struct rg_error err = RG_ERROR_INIT;
    if (!v->near)
        memset(steps, 1, (size_t)n * sizeof *steps);
    else if (rg_regraph_near(g, center, (int)v->hops, steps, &err) != RG_OK) {
        *code = rg_cmd_fail(&err);
        free(steps);
        return NULL;
    }
    for (int i = 0; i < n; i++)
        if (v->category && strcmp(rg_regraph_step(g, i)->category, v->category) != 0) steps[i] = false;
    return steps;
}

void graph_view_rows(const struct rg_regraph *g, const struct graph_view *v, const bool *steps, struct graph_rows *out)
{
    int n = rg_regraph_edges(g);
    const struct rg_circumstances at = graph_view_at(v);
    *out = (struct graph_rows){0, rg_xcalloc((size_t)n + 1, sizeof *out->edges),
                               rg_xcalloc((size_t)n + 1, sizeof *out->weights)};
    for (int i = 0; i < n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, i);
        if (!steps[e->to] || (e->from >= 0 && !steps[e->from])) continue;
        rg_regraph_weigh(g, i, &at, NULL, &out->weights[out->n]);
        out->edges[out->n++] = i;
    }
}

struct row {
    int edge;
    struct rg_weight w;
};

static int by_score(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->w.score != y->w.score) return x->w.score > y->w.score ? -1 : 1;
    return x->edge - y->edge;
}

void graph_rows_best_first(struct graph_rows *r)
{
    struct row *rows = rg_xcalloc((size_t)r->n + 1, sizeof *rows);
    for (int i = 0; i < r->n; i++) rows[i] = (struct row){r->edges[i], r->weights[i]};
    qsort(rows, (size_t)r->n, sizeof *rows, by_score);
    for (int i = 0; i < r->n; i++) {
        r->edges[i] = rows[i].edge;
        r->weights[i] = rows[i].w;
    }
    free(rows);
}

void graph_rows_release(struct graph_rows *r)
{
    free(r->edges);
    free(r->weights);
    *r = (struct graph_rows){0, NULL, NULL};
}

int64_t graph_seen(const struct rg_edge *e)
{
    int64_t n = 0;
    for (int i = 0; i < e->n_evidence; i++) n += e->evidence[i].n;
    return n;
}

int64_t graph_led(const struct rg_edge *e)
{
    int64_t n = 0;
    for (int i = 0; i < e->n_evidence; i++) n += e->evidence[i].lead;
    return n;
}

/* ---- CSV ---- */

static void separate(struct rg_buf *b)
{
    if (b->len && b->data[b->len - 1] != '\n') rg_buf_char(b, ',');
}

void graph_csv_text(struct rg_buf *b, const char *text)
{
    separate(b);
    if (!text) text = "";
    /* quoted where it must be, and where nothing would stand between two commas at the start of a line */
    bool quote = strpbrk(text, ",\"\r\n") || *text == '\0' || *text == ' ';
    if (quote) rg_buf_char(b, '"');
    for (const char *p = text; *p; p++) {
        if (*p == '"') rg_buf_char(b, '"');
        rg_buf_char(b, *p);
    }
    if (quote) rg_buf_char(b, '"');
}

void graph_csv_real(struct rg_buf *b, double v)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", v);
    separate(b);
    rg_buf_str(b, text);
}

void graph_csv_int(struct rg_buf *b, int64_t v)
{
    separate(b);
    rg_buf_printf(b, "%lld", (long long)v);
}

void graph_csv_end(struct rg_buf *b)
{
    rg_buf_str(b, "\r\n");
}

static void heads(struct rg_buf *b, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) graph_csv_text(b, names[i]);
    graph_csv_end(b);
}

void graph_csv_edges(const struct rg_regraph *g, const struct graph_rows *rows, struct rg_buf *out)
{
    static const char *const names[] = {"from",         "to",           "prior",     "confidence", "never",
                                        "note",         "author",       "date",      "score",      "score_prior",
                                        "score_learnt", "score_bonus",  "score_way", "chance",     "gain",
                                        "sigma",        "observations", "seen",      "led"};
    heads(out, names, sizeof names / sizeof *names);
    for (int i = 0; i < rows->n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, rows->edges[i]);
        const struct rg_weight *w = &rows->weights[i];
        graph_csv_text(out, graph_step_name(g, e->from));
        graph_csv_text(out, graph_step_name(g, e->to));
        graph_csv_real(out, e->prior);
        graph_csv_real(out, e->confidence);
        graph_csv_text(out, e->never ? "yes" : "no");
        graph_csv_text(out, e->note);
        graph_csv_text(out, e->author);
        graph_csv_text(out, e->date);
        const double terms[] = {w->score, w->prior, w->learnt, w->bonus, w->way, w->p_ok, w->gain, w->sigma, w->n};
        for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) graph_csv_real(out, terms[k]);
        graph_csv_int(out, graph_seen(e));
        graph_csv_int(out, graph_led(e));
        graph_csv_end(out);
    }
}

void graph_csv_evidence(const struct rg_regraph *g, int edge, const struct graph_view *v, struct rg_buf *out)
{
    static const char *const names[] = {"device",   "class",  "program", "coder", "date", "version",
                                        "machine",  "runs",   "counts",  "n",     "ok",   "mean_gain",
                                        "max_gain", "failed", "refused", "led"};
    const struct rg_edge *e = rg_regraph_edge(g, edge);
    const struct rg_circumstances at = graph_view_at(v);
    heads(out, names, sizeof names / sizeof *names);
    for (int i = 0; i < e->n_evidence; i++) {
        const struct rg_evidence *r = &e->evidence[i];
        const char *const texts[] = {r->device,      r->klass,          r->program,       r->coder,
                                     r->origin.date, r->origin.version, r->origin.machine};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) graph_csv_text(out, texts[k]);
        if (r->n_runs)
            graph_csv_int(out, r->n_runs);
        else
            graph_csv_text(out, r->run);
        graph_csv_real(out, rg_evidence_relevance(r, &at, NULL));
        graph_csv_int(out, r->n);
        graph_csv_int(out, r->ok);
        if (r->ok)
            graph_csv_real(out, (double)r->sum * 1e-6 / (double)r->ok);
        else
            graph_csv_text(out, "");
        if (r->ok)
            graph_csv_real(out, (double)r->max * 1e-6);
        else
            graph_csv_text(out, "");
        graph_csv_int(out, r->n - r->ok);
        graph_csv_int(out, r->refused);
        graph_csv_int(out, r->lead);
        graph_csv_end(out);
    }
}
