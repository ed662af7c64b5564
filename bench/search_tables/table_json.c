/* Tables as files, and tables from journals. */
#include "base/json_members.h"
#include "table.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/expr.h>
#include <rg/file.h>
#include <rg/proc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 10000000, MOST_DRAFTS = 100000 };

static const char *text_of(const json_t *o, const char *key, const char *missing)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : missing;
}

static enum rg_status load_tunables(struct table *t, struct table_node *n, const json_t *o, const char *where,
                                    struct rg_error *err)
{
    struct rg_member_fault fault;
    if (!rg_members_read(o, rg_tunables_members, &n->tunables, &t->arena, &fault))
        return rg_error_set(err, RG_INPUT, "%s: \"%s\" %s", where, fault.key, fault.what);
    for (int i = 0; i < n->tunables.n; i++)
        if (!n->tunables.items[i].n_values)
            return rg_error_set(err, RG_INPUT, "%s: tunable %d has no values", where, i);
    return RG_OK;
}

static bool load_trial(struct table *t, int index, const json_t *o)
{
    struct table_trial x;
    memset(&x, 0, sizeof x);
    int outcome = rg_outcome_parse(text_of(o, "outcome", "ok")),
        limiter = rg_limiter_parse(text_of(o, "limiter", "unknown"));
    const json_t *values = json_object_get(o, "v");
    x.time_us = json_number_value(json_object_get(o, "us"));
    if (outcome < 0 || limiter < 0 || (outcome == RG_OUTCOME_OK) != (x.time_us > 0)) return false;
    if ((int)json_array_size(values) != t->nodes[index].tunables.n) return false;
    x.outcome = (enum rg_outcome)outcome;
    x.limiter = (enum rg_limiter)limiter;
    size_t i;
    json_t *v;
    json_array_foreach(values, i, v) x.v.values[x.v.n++] = json_integer_value(v);
    table_trial(t, index, &x);
    return true;
}

struct draft {
    int64_t at;
    float us;
};

static int by_number(const void *a, const void *b)
{
    int64_t x = ((const struct draft *)a)->at, y = ((const struct draft *)b)->at;
    return (x > y) - (x < y);
}

/* [numbers, thousandths of ln us]; the numbers of a table are each less the one before it, those of a journal are not.
 */
static bool load_drafts(struct table_node *n, const json_t *o, bool differences)
{
    const json_t *at = json_array_get(o, 0), *ln = json_array_get(o, 1);
    size_t count = json_array_size(at);
    if (!o || n->draft_at) return true;
    if (count != json_array_size(ln) || count > MOST_DRAFTS) return false;
    struct draft *d = rg_xcalloc(count + 1, sizeof *d);
    int64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        last = json_integer_value(json_array_get(at, i)) + (differences ? last : 0);
        d[i] = (struct draft){last, expf((float)json_integer_value(json_array_get(ln, i)) / 1000)};
    }
    qsort(d, count, sizeof *d, by_number);
    n->draft_at = rg_xcalloc(count + 1, sizeof *n->draft_at);
    n->draft_us = rg_xcalloc(count + 1, sizeof *n->draft_us);
    n->n_drafts = (int)count;
    for (size_t i = 0; i < count; i++) {
        n->draft_at[i] = d[i].at;
        n->draft_us[i] = d[i].us;
    }
    free(d);
    return true;
}

static json_t *drafts_json(const struct table_node *n)
{
    json_t *at = json_array(), *ln = json_array();
    for (int i = 0; i < n->n_drafts; i++) {
        json_array_append_new(at, json_integer(n->draft_at[i] - (i ? n->draft_at[i - 1] : 0)));
        json_array_append_new(ln, json_integer(lroundf(1000 * logf(n->draft_us[i]))));
    }
    return json_pack("[o, o]", at, ln);
}

static enum rg_status load_node(struct table *t, int index, const json_t *o, size_t n_nodes, const char *path,
                                struct rg_error *err)
{
    char where[256];
    size_t i;
    json_t *a;
    snprintf(where, sizeof where, "%.200s: node %d", path, index);
    enum rg_status st = load_tunables(t, table_node(t, index), o, where, err);
    if (st != RG_OK) return st;
    if (!load_drafts(&t->nodes[index], json_object_get(o, "drafts"), true))
        return rg_error_set(err, RG_INPUT, "%s: its draft costs are wrong", where);
    json_array_foreach(json_object_get(o, "trials"), i, a) if (!load_trial(t, index, a)) return rg_error_set(
        err, RG_INPUT, "%s: trial %zu is wrong", where, i);
    json_array_foreach(json_object_get(o, "actions"), i, a)
    {
        const char *step = text_of(a, "step", NULL), *site = text_of(a, "site", NULL);
        const json_t *child = json_object_get(a, "node");
        int out = rg_outcome_parse(text_of(a, "outcome", "ok"));
        json_int_t c = json_is_integer(child) ? json_integer_value(child) : -1;
        if (!step || !site || out < 0 || c < -1 || c >= (json_int_t)n_nodes)
            return rg_error_set(err, RG_INPUT, "%s: action %zu is wrong", where, i);
        table_action(t, index, step, site, (int)c, (enum rg_outcome)out);
    }
    return RG_OK;
}

/* Packed by xz, or as it is. */
static json_t *file_of(const char *path, struct rg_error *err)
{
    enum { UNPACKING = 60 /* seconds */ };
    size_t len = strlen(path);
    if (len < 3 || strcmp(path + len - 3, ".xz")) return rg_json_file(path, err);
    const char *const argv[] = {"xz", "-dc", "--", path, NULL};
    struct rg_proc_options o = {.argv = argv, .pass_fd = -1};
    struct rg_buf text = RG_BUF_INIT, errs = RG_BUF_INIT;
    int status = 0;
    bool late = false;
    json_t *j = NULL;
    if (rg_proc_run(&o, UNPACKING, &text, &errs, &status, &late, err) == RG_OK) {
        if (status != 0 || late)
            rg_error_set(err, RG_INPUT, "%s: xz cannot unpack it: %.120s", path, errs.data ? errs.data : "");
        else
            j = rg_json_parse(text.data ? text.data : "", text.len, path, err);
    }
    rg_buf_release(&text);
    rg_buf_release(&errs);
    return j;
}

enum rg_status table_load(const char *path, struct table **out, struct rg_error *err)
{
    *out = NULL;
    json_t *o = file_of(path, err);
    if (!o) return RG_INPUT;
    const json_t *nodes = json_object_get(o, "nodes");
    enum rg_status st = RG_OK;
    struct table *t = rg_xcalloc(1, sizeof *t);
    if (strcmp(text_of(o, "format", ""), "search-table/2") || json_array_size(nodes) < 2)
        st = rg_error_set(err, RG_INPUT, "%s: no table in the format search-table/2", path);
    t->name = rg_xstrdup(text_of(o, "name", path));
    t->klass = rg_xstrdup(text_of(o, "class", "other"));
    t->device = rg_xstrdup(text_of(o, "device", "sim:h200"));
    t->naive_us = json_number_value(json_object_get(o, "naive_us"));
    for (size_t i = 0; i < json_array_size(nodes) && st == RG_OK; i++)
        st = load_node(t, (int)i, json_array_get(nodes, i), json_array_size(nodes), path, err);
    json_decref(o);
    table_close(t);
    if (st == RG_OK)
        *out = t;
    else
        table_free(t);
    return st;
}

static json_t *trial_json(const struct table_trial *x)
{
    json_t *o = json_object(), *v = json_array();
    for (int i = 0; i < x->v.n; i++) json_array_append_new(v, json_integer(x->v.values[i]));
    json_object_set_new(o, "v", v);
    if (x->outcome == RG_OUTCOME_OK)
        json_object_set_new(o, "us", json_real(x->time_us));
    else
        json_object_set_new(o, "outcome", json_string(rg_outcome_word(x->outcome)));
    if (x->limiter != RG_LIMIT_UNKNOWN) json_object_set_new(o, "limiter", json_string(rg_limiter_word(x->limiter)));
    return o;
}

static json_t *node_json(const struct table_node *n)
{
    json_t *x = rg_members_json(rg_tunables_members, &n->tunables), *trials = json_array(), *actions = json_array();
    for (int i = 0; i < n->n_trials; i++) json_array_append_new(trials, trial_json(&n->trials[i]));
    for (int k = 0; k < n->n_actions; k++) {
        json_t *a = json_object();
        json_object_set_new(a, "step", json_string(n->actions[k].step));
        json_object_set_new(a, "site", rg_json_text(n->actions[k].site));
        if (n->actions[k].node >= 0)
            json_object_set_new(a, "node", json_integer(n->actions[k].node));
        else
            json_object_set_new(a, "outcome", json_string(rg_outcome_word(n->actions[k].outcome)));
        json_array_append_new(actions, a);
    }
    if (n->n_drafts) json_object_set_new(x, "drafts", drafts_json(n));
    json_object_set_new(x, "trials", trials);
    json_object_set_new(x, "actions", actions);
    return x;
}

/* A node a line: tables are kept in version control. */
enum rg_status table_save(const struct table *t, const char *path, struct rg_error *err)
{
    json_t *o = json_object();
    json_object_set_new(o, "format", json_string("search-table/2"));
    json_object_set_new(o, "name", rg_json_text(t->name));
    json_object_set_new(o, "class", json_string(t->klass));
    json_object_set_new(o, "device", json_string(t->device));
    json_object_set_new(o, "naive_us", json_real(t->naive_us));
    char *head = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(7));
    json_decref(o);
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "%.*s,\"nodes\":[\n", (int)strlen(head) - 1, head);
    free(head);
    for (int i = 0; i < t->n; i++) {
        json_t *x = node_json(&t->nodes[i]);
        char *text = json_dumps(x, JSON_COMPACT | JSON_REAL_PRECISION(7));
        rg_buf_printf(&b, "%s%s\n", text, i + 1 < t->n ? "," : "");
        free(text);
        json_decref(x);
    }
    rg_buf_str(&b, "]}\n");
    enum rg_status st = rg_file_write(path, b.data, b.len, err);
    rg_buf_release(&b);
    return st;
}

/* What a journal says of one action, until its result names the node. */
struct deed {
    int parent;
    char *step, *site;
    json_t *answer; /* borrowed */
    int n_trials, cap_trials;
    const json_t **trials; /* eval lines, borrowed */
};

static bool small(const json_t *o, const char *key, int *out)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > MOST_NODES) return false;
    *out = (int)json_integer_value(v);
    return true;
}

/* The vector's members by the node's names; all must be there: a twin's vector belongs to another template. */
static void take_trial(struct table *t, int node, const json_t *eval)
{
    const struct rg_tunables *u = &t->nodes[node].tunables;
    const json_t *v = json_object_get(eval, "vector"), *e = json_object_get(eval, "evaluation");
    if (!e) e = eval; /* a line "reused" */
    struct table_trial x;
    memset(&x, 0, sizeof x);
    int outcome = rg_outcome_parse(text_of(e, "outcome", "")), l = rg_limiter_parse(text_of(e, "limiter", "unknown"));
    if (outcome < 0 || (int)json_object_size(v) != u->n) return;
    for (int i = 0; i < u->n; i++) {
        const json_t *value = json_object_get(v, u->items[i].name);
        if (!json_is_integer(value)) return;
        x.v.values[x.v.n++] = json_integer_value(value);
    }
    x.outcome = (enum rg_outcome)outcome;
    x.limiter = l > 0 ? (enum rg_limiter)l : RG_LIMIT_UNKNOWN;
    x.time_us = x.outcome == RG_OUTCOME_OK ? json_number_value(json_object_get(e, "time_us")) : 0;
    if ((x.outcome == RG_OUTCOME_OK) == (x.time_us > 0)) table_trial(t, node, &x);
}

static enum rg_status take_result(struct table *t, const json_t *o, struct deed *d, struct rg_error *err)
{
    int node, outcome = rg_outcome_parse(text_of(o, "outcome", "compile"));
    bool has = small(o, "node", &node);
    if (has) {
        table_node(t, node);
        if (d->answer && json_is_true(json_object_get(o, "new"))) {
            enum rg_status st = load_tunables(t, &t->nodes[node], d->answer, t->name, err);
            if (st != RG_OK) return st;
            if (!load_drafts(&t->nodes[node], json_object_get(d->answer, "drafts"), false))
                return rg_error_set(err, RG_INPUT, "%s: draft costs of node %d are wrong", t->name, node);
        }
        for (int i = 0; i < d->n_trials; i++) take_trial(t, node, d->trials[i]);
    }
    if (d->step && *d->step)
        table_action(t, d->parent, d->step, d->site, has ? node : -1,
                     outcome > 0 ? (enum rg_outcome)outcome : RG_OUTCOME_COMPILE);
    return RG_OK;
}

static enum rg_status take_line(struct table *t, json_t *o, struct deed *deeds, int most, struct rg_error *err)
{
    const char *kind = text_of(o, "line", "");
    int a, parent;
    if (!strcmp(kind, "run")) {
        free(t->klass);
        free(t->device);
        t->klass = rg_xstrdup(text_of(o, "class", "other"));
        t->device = rg_xstrdup(text_of(o, "device", "sim:h200"));
    } else if (!strcmp(kind, "naive"))
        t->naive_us = json_number_value(json_object_get(o, "time_us"));
    if (!small(o, "a", &a) || a > most) return RG_OK;
    struct deed *d = &deeds[a];
    if (!strcmp(kind, "action") && small(o, "parent", &parent) && json_object_get(o, "step")) {
        d->parent = parent;
        free(d->step);
        free(d->site);
        /* The baseline's own actions are no edges of the search graph. */
        bool own = strcmp(text_of(o, "purpose", ""), "naive") != 0;
        d->step = own ? rg_xstrdup(text_of(o, "step", "")) : NULL;
        d->site = own ? rg_xstrdup(text_of(o, "site", "")) : NULL;
    } else if (!strcmp(kind, "answer"))
        d->answer = o;
    else if (!strcmp(kind, "eval") || !strcmp(kind, "reused")) {
        RG_GROW(d->trials, d->n_trials, d->cap_trials);
        d->trials[d->n_trials++] = o;
    } else if (!strcmp(kind, "result"))
        return take_result(t, o, d, err);
    return RG_OK;
}

enum rg_status table_from_journal(const char *path, const char *name, struct table **out, struct rg_error *err)
{
    char *text;
    size_t len;
    *out = NULL;
    enum rg_status st = rg_file_read(path, 0, &text, &len, err);
    if (st != RG_OK) return st;
    int lines = 0, n = 0;
    for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
    struct table *t = rg_xcalloc(1, sizeof *t);
    t->name = rg_xstrdup(name);
    table_node(t, 0);
    struct deed *deeds = rg_xcalloc((size_t)lines + 1, sizeof *deeds);
    json_t **all = rg_xcalloc((size_t)lines + 1, sizeof *all);
    for (char *at = text, *end; st == RG_OK && (end = memchr(at, '\n', len - (size_t)(at - text))); at = end + 1) {
        json_t *o = all[n++] = rg_json_parse(at, (size_t)(end - at), path, err);
        st = o ? take_line(t, o, deeds, lines, err) : RG_INPUT;
    }
    for (int i = 0; i <= lines; i++) {
        free(deeds[i].step);
        free(deeds[i].site);
        free(deeds[i].trials);
        json_decref(all[i]);
    }
    free(deeds);
    free(all);
    free(text);
    table_close(t);
    if (st == RG_OK && (t->n < 2 || t->best_us == 0))
        st = rg_error_set(err, RG_INPUT, "%s: the journal holds no verified candidate", path);
    if (st == RG_OK)
        *out = t;
    else
        table_free(t);
    return st;
}
