/* What became of each problem: OUT/results/NAME.json, OUT/table.json, and the lines of --jsonl. */
#include "base/json_util.h"
#include "cmd/suite.h"

#include <math.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

static double number(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static const char *text_of(const json_t *o, const char *key)
{
    const char *v = json_string_value(json_object_get(o, key));
    return v ? v : "";
}

static void text(const json_t *o, const char *key, char *to, size_t size)
{
    snprintf(to, size, "%s", text_of(o, key));
}

static void steps(const json_t *list, char *to, size_t size)
{
    size_t i, at = 0;
    json_t *step;
    *to = 0;
    json_array_foreach(list, i, step)
    {
        const char *name = json_string_value(json_object_get(step, "step"));
        if (name && at < size) at += (size_t)snprintf(to + at, size - at, "%s%s", at ? " " : "", name);
    }
}

/* The figures of a row, out of the document that the search printed. */
static void take_figures(struct suite_row *row, const json_t *search)
{
    const json_t *best = json_object_get(search, "best");
    if (json_object_get(search, "device")) text(search, "device", row->device, sizeof row->device);
    row->estimated = json_is_true(json_object_get(search, "estimated"));
    row->naive_ms = number(search, "naive_ms");
    row->best_ms = number(best, "kernel_ms");
    row->vs_naive = number(best, "speedup_vs_naive");
    row->vs_sequential = number(best, "speedup_vs_sequential");
    row->evaluations = json_integer_value(json_object_get(search, "evaluations"));
    steps(json_object_get(best, "steps"), row->steps, sizeof row->steps);
}

static json_t *row_json(const struct suite_row *r)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:f, s:o, s:b, s:o, s:o, s:o, s:o, s:I, s:o}", "name", r->name, "state",
                     r->state, "exit", r->exit < 0 ? json_null() : json_integer(r->exit), "reason",
                     *r->reason ? rg_json_text(r->reason) : json_null(), "seconds", r->seconds, "device",
                     rg_json_text(r->device), "estimated", r->estimated, "naive_ms", rg_json_number(r->naive_ms),
                     "best_ms", rg_json_number(r->best_ms), "speedup_vs_naive", rg_json_number(r->vs_naive),
                     "speedup_vs_sequential", rg_json_number(r->vs_sequential), "evaluations",
                     (json_int_t)r->evaluations, "steps", rg_json_text(r->steps));
}

static enum rg_status write_json(const char *path, json_t *o, struct rg_error *err)
{
    char *t = rg_json_pretty(o);
    enum rg_status st = rg_file_write(path, t, strlen(t), err);
    free(t);
    json_decref(o);
    return st;
}

enum rg_status suite_result_save(const char *path, const struct suite_row *e, const char *document,
                                 struct suite_row *row, struct rg_error *err)
{
    struct rg_error none = RG_ERROR_INIT;
    json_t *search = *document ? rg_json_parse(document, strlen(document), "regraph-search", &none) : NULL;
    if (search && strncmp(text_of(search, "schema"), "regraph-search/", 15))
        json_decref(search), search = NULL; /* of what failed */
    *row = *e;
    row->naive_ms = row->best_ms = row->vs_naive = row->vs_sequential = NAN;
    if (search) take_figures(row, search);
    const char *state = row->exit == 0                      ? "ok"
                        : row->exit == 1                    ? "slower"
                        : row->exit == 7 || row->exit > 128 ? "stopped"
                                                            : "failed";
    if (row->exit == 128 + 9 || row->exit == 128 + 11 || row->exit == 128 + 6)
        state = "failed"; /* killed, crashed: not asked to stop */
    snprintf(row->state, sizeof row->state, "%s", state);
    if (row->exit <= 1) row->reason[0] = 0;
    json_t *o = row_json(row);
    json_object_set_new(o, "schema", json_string("regraph-suite-result/1"));
    json_object_set_new(o, "search", search ? search : json_null());
    return write_json(path, o, err);
}

void suite_result_load(const char *path, const char *name, struct suite_row *row)
{
    struct rg_error none = RG_ERROR_INIT;
    json_t *o = rg_file_exists(path) ? rg_json_file(path, &none) : NULL;
    const json_t *code = json_object_get(o, "exit");
    *row = (struct suite_row){.exit = json_is_integer(code) ? (int)json_integer_value(code) : -1};
    snprintf(row->name, sizeof row->name, "%s", name);
    text(o, "state", row->state, sizeof row->state);
    text(o, "reason", row->reason, sizeof row->reason);
    text(o, "device", row->device, sizeof row->device);
    row->seconds = json_number_value(json_object_get(o, "seconds"));
    take_figures(row, json_object_get(o, "search"));
    if (row->exit < 0) snprintf(row->state, sizeof row->state, "open");
    json_decref(o);
}

enum rg_status suite_table_save(const char *path, const struct suite_row *rows, int n, struct rg_error *err)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(list, row_json(&rows[i]));
    return write_json(path, json_pack("{s:s, s:o}", "schema", "regraph-suite-table/1", "problems", list), err);
}

void suite_line(const char *event, const struct suite_row *row)
{
    json_t *o = row_json(row);
    json_object_set_new(o, "event", json_string(event));
    char *line = rg_json_line(o);
    puts(line);
    fflush(stdout);
    free(line);
    json_decref(o);
}
