/* What stands beside a journal: the problem, what the search wrote of itself (run.json), the certificate, the kept
 * sources, the graph as it was. */
#include "base/json_util.h"
#include "cmd/report.h"
#include <math.h>
#include <rg/file.h>
#include <rg/pack.h>
#include <rg/problem.h>
#include <rg/regraph.h>
#include <rg/search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FACTS = 64 };

static double number(const json_t *o, const char *name, double missing)
{
    const json_t *v = json_object_get(o, name);
    return json_is_number(v) ? json_number_value(v) : missing;
}

static const char *word(struct report_run *r, const json_t *o, const char *name, const char *missing)
{
    const char *s = json_string_value(json_object_get(o, name));
    return s ? rg_arena_strdup(&r->arena, s) : missing;
}

static json_t *beside(const struct report_run *r, const char *name)
{
    char *path = rg_xasprintf("%s/%s", r->folder, name);
    json_t *o = rg_file_exists(path) ? rg_json_file(path, NULL) : NULL;
    free(path);
    if (json_is_object(o)) return o;
    json_decref(o);
    return NULL;
}

enum rg_status report_open(const char *path, struct report_run **out, struct rg_error *err)
{
    struct stat s;
    struct report_run *r = rg_xcalloc(1, sizeof *r);
    bool folder = stat(path, &s) == 0 && S_ISDIR(s.st_mode);
    const char *slash = strrchr(path, '/');
    r->folder = folder  ? rg_arena_strdup(&r->arena, path)
                : slash ? rg_arena_strndup(&r->arena, path, (size_t)(slash - path))
                        : ".";
    r->journal = folder ? rg_arena_printf(&r->arena, "%s/journal.jsonl", path) : rg_arena_strdup(&r->arena, path);
    snprintf(r->label, sizeof r->label, "%s", r->folder);
    r->function = r->klass = r->program = r->device = r->graph = r->graph_sha256 = r->policy = r->seed = r->run_id =
        r->coders = r->ended = "";
    r->problem_file = r->source_text = r->prototype = r->sizes = r->command = r->sequential_how = r->transfer_how =
        r->peaks = r->device_name = "";
    r->best_node = -1;
    r->flops = -1;
    r->sequential_ms = r->threads_ms = r->sol_ms = r->read_bytes = r->write_bytes = r->copy_bytes_s = r->flop_s =
        r->transfer_ms = r->total_ms = NAN;
    enum rg_status st = report_update(r, err);
    if (st == RG_OK)
        *out = r;
    else
        report_free(r);
    return st;
}

void report_free(struct report_run *r)
{
    if (!r) return;
    for (int i = 0; i < r->n_diffs; i++) free(r->diffs[i]);
    free(r->diffs);
    free(r->diff_key);
    free(r->evals);
    free(r->actions);
    free(r->nodes);
    free(r->edges);
    free(r->reused);
    rg_arena_release(&r->arena);
    free(r);
}

static void read_problem(struct report_run *r)
{
    json_t *o = beside(r, "problem.json");
    struct rg_problem *p = NULL;
    char *path = rg_xasprintf("%s/problem.json", r->folder);
    if (o && rg_problem_load(path, &p, NULL) == RG_OK) {
        struct rg_buf b = RG_BUF_INIT;
        r->problem_file = rg_arena_strdup(&r->arena, p->file ? p->file : "");
        r->source_text = rg_arena_strdup(&r->arena, p->function_source ? p->function_source : "");
        r->prototype = rg_arena_strdup(&r->arena, p->prototype ? p->prototype : "");
        r->source_line = p->text_line ? p->text_line : p->line;
        r->comment_line = p->comment_line;
        r->comment_lines = p->comment_lines;
        r->flops = p->flops;
        for (int i = 0; i < p->n_size_params; i++)
            rg_buf_printf(&b, "%s%s = %lld", b.len ? ", " : "", rg_param_shown(&p->params[p->size_params[i]]),
                          (long long)p->sizes[0].values[i]);
        r->sizes = rg_arena_strdup(&r->arena, b.data);
        rg_buf_release(&b);
    }
    rg_problem_free(p);
    free(path);
    json_decref(o);
}

static struct report_text *texts(struct report_run *r, const json_t *o, int *n)
{
    json_t *value;
    const char *name;
    *n = 0;
    if (!json_is_object(o)) return NULL;
    struct report_text *t = rg_arena_alloc(&r->arena, (MOST_FACTS + 1) * sizeof *t);
    json_object_foreach((json_t *)(uintptr_t)o, name, value)
    {
        if (!json_is_string(value) || *n == MOST_FACTS) continue;
        t[(*n)++] = (struct report_text){rg_arena_strdup(&r->arena, name),
                                         rg_arena_strdup(&r->arena, json_string_value(value))};
    }
    return t;
}

static void read_refusals(struct report_run *r, const json_t *list)
{
    size_t i;
    json_t *o;
    r->n_refusals = 0;
    r->refusals = rg_arena_alloc(&r->arena, (json_array_size(list) + 1) * sizeof *r->refusals);
    json_array_foreach(list, i, o)
    {
        const json_t *why = json_object_get(o, "refusal"); /* earlier runs: "reason", "line" beside the site */
        r->refusals[r->n_refusals++] = (struct report_refusal){
            word(r, o, "after", ""),  word(r, o, "step", ""),
            word(r, o, "site", ""),   why ? word(r, why, "message", "") : word(r, o, "reason", ""),
            word(r, why, "kind", ""), (int)number(why ? why : o, "line", 0)};
    }
}

static void read_run_file(struct report_run *r)
{
    json_t *o = beside(r, "run.json");
    if (!o) return;
    r->command = word(r, o, "command", r->command);
    r->sequential_ms = number(o, "sequential_ms", r->sequential_ms);
    r->sequential_how = word(r, o, "sequential_how", r->sequential_how);
    r->threads = (int)number(o, "threads", r->threads);
    r->threads_ms = number(o, "threads_ms", r->threads_ms);
    r->command_seconds = number(o, "seconds", 0);
    r->sol_ms = number(o, "sol_ms", r->sol_ms);
    r->read_bytes = number(o, "read_bytes", r->read_bytes);
    r->write_bytes = number(o, "write_bytes", r->write_bytes);
    r->copy_bytes_s = number(o, "copy_bytes_s", r->copy_bytes_s);
    r->flop_s = number(o, "flop_s", r->flop_s);
    r->transfer_ms = number(o, "transfer_ms", r->transfer_ms);
    r->transfer_how = word(r, o, "transfer_how", r->transfer_how);
    r->peaks = word(r, o, "peaks", r->peaks);
    r->device_name = word(r, o, "device_name", r->device_name);
    r->model = texts(r, json_object_get(o, "model"), &r->n_model);
    r->facts = texts(r, json_object_get(o, "facts"), &r->n_facts);
    read_refusals(r, json_object_get(o, "refusals"));
    json_decref(o);
}

static void read_certificate(struct report_run *r)
{
    json_t *o = beside(r, "certificate.json");
    const json_t *time = json_object_get(o, "time"), *sequential = json_object_get(o, "sequential"),
                 *openmp = json_object_get(o, "openmp"), *errors = json_object_get(o, "errors");
    if (!o) return;
    if (isnan(r->sequential_ms))
        r->sequential_ms = number(sequential, "ms", NAN), r->sequential_how = word(r, sequential, "how", "");
    if (isnan(r->threads_ms)) r->threads_ms = number(openmp, "ms", NAN), r->threads = (int)number(openmp, "threads", 0);
    if (isnan(r->sol_ms)) r->sol_ms = number(time, "sol_ms", NAN);
    r->total_ms = number(time, "total_ms", NAN);
    r->max_error = number(errors, "max", NAN);
    r->accepted_error = isfinite(r->max_error);
    json_decref(o);
}

void report_beside(struct report_run *r)
{
    if (!*r->source_text) read_problem(r);
    read_run_file(r);
    if (r->closed) read_certificate(r);
}

/* The text of a kept source: its kernels, then its plan; NULL: it is not there. malloc'd */
static char *source_text(const json_t *all, const char *name)
{
    const json_t *o = *name ? json_object_get(all, name) : NULL;
    const char *cuda = json_string_value(json_object_get(o, "cuda")),
               *plan = json_string_value(json_object_get(o, "plan"));
    return cuda ? rg_xasprintf("%s\n/* plan */\n%s", cuda, plan ? plan : "") : NULL;
}

static json_t *unpack(const struct report_run *r, const json_t *wanted)
{
    char *path = rg_xasprintf("%s/sources.jsonl.gz", r->folder), *text = NULL;
    size_t len = 0;
    json_t *all = json_object();
    if (rg_file_exists(path) && rg_pack_read(path, &text, &len, NULL) == RG_OK)
        for (size_t at = 0; at < len;) {
            size_t n = strcspn(text + at, "\n");
            json_t *o = json_loadb(text + at, n, 0, NULL);
            const char *name = json_string_value(json_object_get(o, "source"));
            if (name && json_object_get(wanted, name)) json_object_set(all, name, o);
            json_decref(o);
            at += n + 1;
        }
    free(text);
    free(path);
    return all;
}

void report_sources(struct report_run *r)
{
    struct rg_buf key = RG_BUF_INIT;
    json_t *wanted = json_object();
    for (int i = 0; i < r->n_chain; i++) {
        const struct report_node *n = report_node(r, r->chain[i].node);
        rg_buf_printf(&key, "%s/", n ? n->source : "");
        if (n && *n->source) json_object_set_new(wanted, n->source, json_true());
    }
    if (r->diff_key && !strcmp(r->diff_key, key.data)) {
        rg_buf_release(&key);
        json_decref(wanted);
        return;
    }
    for (int i = 0; i < r->n_diffs; i++) free(r->diffs[i]);
    free(r->diffs);
    free(r->diff_key);
    r->diff_key = rg_buf_steal(&key);
    r->n_diffs = r->n_chain;
    r->diffs = rg_xcalloc((size_t)r->n_chain + 1, sizeof *r->diffs);
    json_t *all = unpack(r, wanted);
    char *before = NULL;
    for (int i = 0; i < r->n_chain; i++) {
        const struct report_node *n = report_node(r, r->chain[i].node);
        char *after = n ? source_text(all, n->source) : NULL;
        if (!after) continue; /* never measured by itself: the next difference has it too */
        struct rg_buf b = RG_BUF_INIT;
        report_diff(before ? before : "", after, &b);
        r->diffs[i] = rg_buf_steal(&b);
        free(before);
        before = after;
    }
    free(before);
    json_decref(all);
    json_decref(wanted);
}

static const char *step_id(const struct rg_regraph *g, int step)
{
    return step < 0 ? "@start" : rg_regraph_step(g, step)->id;
}

void report_learnt(struct report_run *r)
{
    char *path = rg_xasprintf("%s/graph-before.json", r->folder);
    struct rg_regraph *before = NULL, *after = NULL;
    struct rg_search_row *rows = NULL;
    int n = 0;
    if (r->closed && r->n_edges && rg_file_exists(path) && rg_regraph_load(path, &before, NULL) == RG_OK &&
        rg_journal_evidence(r->journal, before, &rows, &n, NULL) == RG_OK) {
        after = rg_regraph_clone(before);
        for (int i = 0; i < n; i++) rg_regraph_learn(after, rows[i].edge, &rows[i].row, NULL);
        for (int i = 0; i < n; i++) {
            const struct rg_edge *e = rg_regraph_edge(before, rows[i].edge);
            const struct rg_evidence *row = &rows[i].row;
            const struct rg_circumstances at = {row->device, row->klass, row->program, row->coder};
            struct rg_weight was, is;
            rg_regraph_weigh(before, rows[i].edge, &at, NULL, &was);
            rg_regraph_weigh(after, rows[i].edge, &at, NULL, &is);
            for (int k = 0; k < r->n_edges; k++) {
                struct report_edge *x = &r->edges[k];
                if (strcmp(x->from, step_id(before, e->from)) || strcmp(x->to, step_id(before, e->to)) ||
                    strcmp(x->coder, row->coder))
                    continue;
                x->score_before = was.score;
                x->score_after = is.score;
            }
        }
    }
    rg_search_rows_free(rows, n);
    rg_regraph_free(after);
    rg_regraph_free(before);
    free(path);
}
