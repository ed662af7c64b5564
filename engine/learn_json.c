/* Evidence into the graph file: re-read, merged and saved under its lock; into a file beside it when that fails. */
#include "base/json_util.h"
#include "engine/engine.h"
#include "engine/journal_line_json.h"
#include <glob.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double lock_wait_s = 10;

static const char *step_name(const struct rg_regraph *g, int step)
{
    return step < 0 ? "@start" : rg_regraph_step(g, step)->id;
}

/* The edge of g between steps of these names; -1 when an editor removed it meanwhile. */
static int edge_named(const struct rg_regraph *g, const char *from, const char *to)
{
    int f = strcmp(from, "@start") ? rg_regraph_find(g, from) : -1, t = rg_regraph_find(g, to);
    return t < 0 || (f < 0 && strcmp(from, "@start")) ? -1 : rg_regraph_find_edge(g, f, t);
}

static json_t *row_json(const struct rg_regraph *used, const struct rg_search_row *r)
{
    const struct rg_edge *e = rg_regraph_edge(used, r->edge);
    json_t *o = json_object(), *fail = json_object();
    json_object_set_new(o, "from", json_string(step_name(used, e->from)));
    json_object_set_new(o, "to", json_string(step_name(used, e->to)));
    json_object_set_new(o, "device", rg_json_text(r->row.device));
    json_object_set_new(o, "class", rg_json_text(r->row.klass));
    if (*r->row.program) json_object_set_new(o, "program", rg_json_text(r->row.program));
    json_object_set_new(o, "coder", rg_json_text(r->row.coder));
    json_object_set_new(o, "run", rg_json_text(r->row.run));
    json_object_set_new(o, "n", json_integer(r->row.n));
    json_object_set_new(o, "ok", json_integer(r->row.ok));
    json_object_set_new(o, "sum", json_integer(r->row.sum));
    json_object_set_new(o, "sumsq", json_integer(r->row.sumsq));
    if (r->row.ok) json_object_set_new(o, "max", json_integer(r->row.max));
    for (int i = 0; i < RG_N_OUTCOMES; i++)
        if (r->row.fail[i])
            json_object_set_new(fail, rg_outcome_word((enum rg_outcome)i), json_integer(r->row.fail[i]));
    json_object_set_new(o, "fail", fail);
    if (r->row.lead) json_object_set_new(o, "lead", json_integer(r->row.lead));
    if (r->row.n_tuned) json_object_set_new(o, "tuned", rg__tuned_json(&r->row));
    return o;
}

/* A run id may hold anything; a file name may not. */
static char *pending_path(const char *path, const struct rg_search_row *rows, int n)
{
    char *run = rg_xstrdup(n && rows[0].row.run ? rows[0].row.run : "unnamed");
    for (char *p = run; *p; p++)
        if (!strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_", *p)) *p = '_';
    char *out = rg_xasprintf("%s.pending-%s.json", path, run);
    free(run);
    return out;
}

static enum rg_status leave_pending(const char *path, const struct rg_search_row *rows, int n,
                                    const struct rg_regraph *used, const char *why, struct rg_error *err)
{
    json_t *o = json_object(), *a = json_array();
    json_object_set_new(o, "format", json_string("regraph-evidence/1"));
    for (int i = 0; i < n; i++) json_array_append_new(a, row_json(used, &rows[i]));
    json_object_set_new(o, "rows", a);
    char *text = rg_json_pretty(o), *name = pending_path(path, rows, n);
    json_decref(o);
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status st = rg_file_write(name, text, strlen(text), &e);
    if (st == RG_OK)
        rg_error_set(err, RG_IO,
                     "the graph '%s' was not updated (%s); this run's evidence is in '%s' and enters with the "
                     "next run that can",
                     path, why, name);
    else
        rg_error_set(err, RG_IO, "the graph '%s' was not updated (%s), nor could its evidence be kept: %s", path, why,
                     e.text);
    free(text);
    free(name);
    return RG_IO;
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

static enum rg_status read_row(const json_t *o, struct rg_evidence *r, struct rg_tuned *tuned, const char **from, const char **to,
                               struct rg_error *err)
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
    if (st == RG_OK) st = rg_json_opt_int(o, "lead", w, &r->lead, err);
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

/* Rows that an earlier run could not merge. Its file goes only after the graph is saved. */
static bool absorb(struct rg_regraph *g, const char *name)
{
    struct rg_error e = RG_ERROR_INIT;
    json_t *o = rg_json_file(name, &e);
    const char *format = json_string_value(json_object_get(o, "format"));
    bool ok = format && !strcmp(format, "regraph-evidence/1");
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(o, "rows"), i, row)
    {
        struct rg_evidence r;
        struct rg_tuned tuned[MOST_TUNED];
        const char *from, *to;
        if (!ok || read_row(row, &r, tuned, &from, &to, &e) != RG_OK) {
            ok = false;
            break;
        }
        int edge = edge_named(g, from, to);
        if (edge >= 0 && rg_regraph_learn(g, edge, &r, &e) != RG_OK) ok = false;
    }
    json_decref(o);
    if (!ok) rg_log(RG_LOG_WARN, "evidence in '%s' cannot be used: %s", name, e.text[0] ? e.text : "unknown format");
    return ok;
}

enum rg_status rg_search_learn(const char *path, const struct rg_search_row *rows, int n, const struct rg_regraph *used,
                               struct rg_error *err)
{
    int fd = -1;
    struct rg_error e = RG_ERROR_INIT;
    if (rg_file_lock(path, lock_wait_s, &fd, &e) != RG_OK) return leave_pending(path, rows, n, used, e.text, err);
    struct rg_regraph *g = NULL;
    enum rg_status st = rg_regraph_load(path, &g, &e);
    for (int i = 0; i < n && st == RG_OK; i++) {
        const struct rg_edge *x = rg_regraph_edge(used, rows[i].edge);
        int edge = edge_named(g, step_name(used, x->from), step_name(used, x->to));
        if (edge < 0) {
            rg_log(RG_LOG_WARN, "'%s' has lost its edge from %s to %s; its evidence stays in the journal", path,
                   step_name(used, x->from), step_name(used, x->to));
            continue;
        }
        st = rg_regraph_learn(g, edge, &rows[i].row, &e);
    }
    glob_t found = {0};
    char *pattern = rg_xasprintf("%s.pending-*.json", path);
    bool any = st == RG_OK && glob(pattern, 0, NULL, &found) == 0;
    bool *used_up = rg_xcalloc(found.gl_pathc + 1, sizeof *used_up);
    for (size_t i = 0; any && i < found.gl_pathc; i++) used_up[i] = absorb(g, found.gl_pathv[i]);
    if (st == RG_OK) st = rg_regraph_save(g, path, &e);
    for (size_t i = 0; any && st == RG_OK && i < found.gl_pathc; i++)
        if (used_up[i]) unlink(found.gl_pathv[i]);
    if (any) globfree(&found);
    free(used_up);
    free(pattern);
    rg_regraph_free(g);
    rg_file_unlock(fd);
    return st == RG_OK ? RG_OK : leave_pending(path, rows, n, used, e.text, err);
}
