/* The evidence of one run as a file of its own ("regraph-evidence/1"), and such files into a graph. */
#include "base/json_util.h"
#include "engine/engine.h"
#include "engine/journal_line_json.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>

static const char format[] = "regraph-evidence/1";

const char *rg__step_name(const struct rg_regraph *g, int step)
{
    return step < 0 ? "@start" : rg_regraph_step(g, step)->id;
}

int rg__edge_named(const struct rg_regraph *g, const char *from, const char *to)
{
    /* under the names that steps have now: a run may have begun before a step was renamed */
    int f = strcmp(from, "@start") ? rg_regraph_find(g, rg_regraph_now(g, from)) : -1,
        t = rg_regraph_find(g, rg_regraph_now(g, to));
    return t < 0 || (f < 0 && strcmp(from, "@start")) ? -1 : rg_regraph_find_edge(g, f, t);
}

static json_t *row_json(const struct rg_regraph *used, const struct rg_search_row *r)
{
    const struct rg_edge *e = rg_regraph_edge(used, r->edge);
    json_t *o = json_object(), *fail = json_object();
    json_object_set_new(o, "from", json_string(rg__step_name(used, e->from)));
    json_object_set_new(o, "to", json_string(rg__step_name(used, e->to)));
    json_object_set_new(o, "device", rg_json_text(r->row.device));
    json_object_set_new(o, "class", rg_json_text(r->row.klass));
    if (*r->row.program) json_object_set_new(o, "program", rg_json_text(r->row.program));
    json_object_set_new(o, "coder", rg_json_text(r->row.coder));
    json_object_set_new(o, "run", rg_json_text(r->row.run));
    const struct rg_provenance *from = &r->row.origin;
    if (from->date && *from->date) json_object_set_new(o, "date", rg_json_text(from->date));
    if (from->version && *from->version) json_object_set_new(o, "version", rg_json_text(from->version));
    if (from->machine && *from->machine) json_object_set_new(o, "machine", rg_json_text(from->machine));
    json_object_set_new(o, "n", json_integer(r->row.n));
    json_object_set_new(o, "ok", json_integer(r->row.ok));
    json_object_set_new(o, "sum", json_integer(r->row.sum));
    json_object_set_new(o, "sumsq", json_integer(r->row.sumsq));
    if (r->row.ok) json_object_set_new(o, "max", json_integer(r->row.max));
    for (int i = 0; i < RG_N_OUTCOMES; i++)
        if (r->row.fail[i])
            json_object_set_new(fail, rg_outcome_word((enum rg_outcome)i), json_integer(r->row.fail[i]));
    json_object_set_new(o, "fail", fail);
    if (r->row.refused) json_object_set_new(o, "refused", json_integer(r->row.refused));
    if (r->row.told) json_object_set_new(o, "told", json_integer(r->row.told));
    if (r->row.lead) json_object_set_new(o, "lead", json_integer(r->row.lead));
    if (r->row.n_tuned) json_object_set_new(o, "tuned", rg__tuned_json(&r->row));
    return o;
}

enum rg_status rg_evidence_save(const char *path, const struct rg_search_row *rows, int n,
                                const struct rg_regraph *used, struct rg_error *err)
{
    json_t *o = json_object(), *a = json_array();
    json_object_set_new(o, "format", json_string(format));
    for (int i = 0; i < n; i++) json_array_append_new(a, row_json(used, &rows[i]));
    json_object_set_new(o, "rows", a);
    char *text = rg_json_pretty(o);
    json_decref(o);
    enum rg_status st = rg_file_write(path, text, strlen(text), err);
    free(text);
    return st;
}

enum { MOST_TUNED = 64 };

/* The row is checked whole when it is learnt: here only what JSON can get wrong. */
static bool read_tuned(const json_t *o, struct rg_evidence *r, struct rg_tuned *tuned)
{
    const char *name, *text;
    json_t *values, *count;
    json_object_foreach((json_t *)json_object_get(o, "tuned"), name, values)
    {
        json_object_foreach(values, text, count)
        {
            if (!json_is_integer(count) || r->n_tuned == MOST_TUNED) return false;
            tuned[r->n_tuned++] = (struct rg_tuned){name, strtoll(text, NULL, 10), json_integer_value(count)};
        }
    }
    r->tuned = tuned;
    return true;
}

static enum rg_status read_row(const json_t *o, struct rg_evidence *r, struct rg_tuned *tuned, const char **from,
                               const char **to, struct rg_error *err)
{
    memset(r, 0, sizeof *r);
    r->max = INT64_MIN;
    const char *w = "row";
    enum rg_status st = rg_json_str(o, "from", w, from, err);
    if (st == RG_OK) st = rg_json_str(o, "to", w, to, err);
    if (st == RG_OK) st = rg_json_str(o, "device", w, &r->device, err);
    if (st == RG_OK) st = rg_json_str(o, "class", w, &r->klass, err);
    r->program = json_string_value(json_object_get(o, "program"));
    if (!r->program) r->program = "";
    if (st == RG_OK) st = rg_json_str(o, "coder", w, &r->coder, err);
    if (st == RG_OK) st = rg_json_str(o, "run", w, &r->run, err);
    if (st == RG_OK) st = rg_json_int(o, "n", w, &r->n, err);
    if (st == RG_OK) st = rg_json_int(o, "ok", w, &r->ok, err);
    if (st == RG_OK) st = rg_json_int(o, "sum", w, &r->sum, err);
    if (st == RG_OK) st = rg_json_int(o, "sumsq", w, &r->sumsq, err);
    if (st == RG_OK) st = rg_json_opt_int(o, "max", w, &r->max, err);
    if (st == RG_OK) st = rg_json_opt_int(o, "told", w, &r->told, err);
    if (st == RG_OK) st = rg_json_opt_int(o, "lead", w, &r->lead, err);
    if (st == RG_OK) st = rg_json_opt_int(o, "refused", w, &r->refused, err);
    if (st == RG_OK) st = rg_json_opt_str(o, "date", w, &r->origin.date, err);
    if (st == RG_OK) st = rg_json_opt_str(o, "version", w, &r->origin.version, err);
    if (st == RG_OK) st = rg_json_opt_str(o, "machine", w, &r->origin.machine, err);
    if (st == RG_OK && !read_tuned(o, r, tuned)) st = rg_error_set(err, RG_INPUT, "row: \"tuned\" is wrong");
    const char *key;
    json_t *v;
    json_object_foreach(json_object_get(o, "fail"), key, v)
    {
        int i = rg_outcome_parse(key);
        if (i < 0 || !json_is_integer(v)) return rg_error_set(err, RG_INPUT, "row: \"fail\" holds '%.40s'", key);
        r->fail[i] = json_integer_value(v);
    }
    return st;
}

static enum rg_status join_row(struct rg_regraph *g, const char *name, const json_t *row, bool latest,
                               struct rg_error *err)
{
    struct rg_evidence r;
    struct rg_tuned tuned[MOST_TUNED];
    const char *from, *to;
    enum rg_status st = read_row(row, &r, tuned, &from, &to, err);
    if (st != RG_OK) return st;
    int edge = rg__edge_named(g, from, to);
    if (edge >= 0) return latest ? rg_regraph_learn(g, edge, &r, err) : rg_regraph_join(g, edge, &r, err);
    rg_log(RG_LOG_WARN, "'%s': the graph has no edge from %s to %s; its evidence is left out", name, from, to);
    return RG_OK;
}

bool rg_evidence_is(const char *path)
{
    json_t *o = rg_json_file(path, NULL);
    const char *f = json_string_value(json_object_get(o, "format"));
    bool is = f && !strcmp(f, format);
    json_decref(o);
    return is;
}

enum rg_status rg_evidence_join(struct rg_regraph *g, const char *path, bool latest, int *n, struct rg_error *err)
{
    *n = 0;
    json_t *o = rg_json_file(path, err), *row;
    if (!o) return RG_INPUT;
    const char *f = json_string_value(json_object_get(o, "format"));
    enum rg_status st =
        f && !strcmp(f, format) ? RG_OK : rg_error_set(err, RG_INPUT, "'%s' is not of format %s", path, format);
    size_t i;
    json_array_foreach(json_object_get(o, "rows"), i, row)
    {
        if (st == RG_OK && (st = join_row(g, path, row, latest, err)) != RG_OK) rg_error_prefix(err, "%s", path);
        if (st == RG_OK) ++*n;
    }
    json_decref(o);
    return st;
}
