/* Tables as files, and tables from journals. */
#include "base/json_util.h"
#include "table.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 10000000 };

static const char *text_of(const json_t *o, const char *key, const char *missing)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : missing;
}

static enum rg_status load_node(struct table *t, int index, const json_t *o, size_t n_nodes, const char *path,
                                struct rg_error *err)
{
    struct table_node *n = table_node(t, index);
    int outcome = rg_outcome_parse(text_of(o, "outcome", "ok")),
        limiter = rg_limiter_parse(text_of(o, "limiter", "unknown"));
    if (outcome < 0 || limiter < 0) return rg_error_set(err, RG_INPUT, "%s: node %d: unknown word", path, index);
    n->outcome = (enum rg_outcome)outcome;
    n->limiter = (enum rg_limiter)limiter;
    n->time_us = json_number_value(json_object_get(o, "time_us"));
    const json_t *cost = json_object_get(o, "evals");
    n->cost = json_is_integer(cost) && json_integer_value(cost) > 0 && json_integer_value(cost) < 10000
                  ? (int)json_integer_value(cost)
                  : 1;
    n->measured = index > 0 && (n->time_us > 0 || outcome != RG_OUTCOME_OK);
    size_t i;
    json_t *a;
    json_array_foreach(json_object_get(o, "actions"), i, a)
    {
        const char *step = text_of(a, "step", NULL), *site = text_of(a, "site", NULL);
        const json_t *child = json_object_get(a, "node");
        int out = rg_outcome_parse(text_of(a, "outcome", "ok"));
        json_int_t c = json_is_integer(child) ? json_integer_value(child) : -1;
        if (!step || !site || out < 0 || c < -1 || c >= (json_int_t)n_nodes)
            return rg_error_set(err, RG_INPUT, "%s: node %d: action %zu is wrong", path, index, i);
        table_action(t, index, step, site, (int)c, (enum rg_outcome)out);
    }
    return RG_OK;
}

enum rg_status table_load(const char *path, struct table **out, struct rg_error *err)
{
    *out = NULL;
    json_t *o = rg_json_file(path, err);
    if (!o) return RG_INPUT;
    const json_t *nodes = json_object_get(o, "nodes");
    enum rg_status st = RG_OK;
    struct table *t = rg_xcalloc(1, sizeof *t);
    if (strcmp(text_of(o, "format", ""), "search-table/1") || json_array_size(nodes) < 2)
        st = rg_error_set(err, RG_INPUT, "%s: no table in the format search-table/1", path);
    t->name = rg_xstrdup(text_of(o, "name", path));
    t->klass = rg_xstrdup(text_of(o, "class", "other"));
    t->device = rg_xstrdup(text_of(o, "device", "sim:h200"));
    t->naive_us = json_number_value(json_object_get(o, "naive_us"));
    for (size_t i = 0; i < json_array_size(nodes) && st == RG_OK; i++)
        st = load_node(t, (int)i, json_array_get(nodes, i), json_array_size(nodes), path, err);
    json_decref(o);
    table_best(t);
    if (st == RG_OK)
        *out = t;
    else
        table_free(t);
    return st;
}

enum rg_status table_save(const struct table *t, const char *path, struct rg_error *err)
{
    json_t *o = json_object(), *nodes = json_array();
    json_object_set_new(o, "format", json_string("search-table/1"));
    json_object_set_new(o, "name", rg_json_text(t->name));
    json_object_set_new(o, "class", json_string(t->klass));
    json_object_set_new(o, "device", json_string(t->device));
    json_object_set_new(o, "naive_us", json_real(t->naive_us));
    for (int i = 0; i < t->n; i++) {
        const struct table_node *n = &t->nodes[i];
        json_t *x = json_object(), *actions = json_array();
        if (n->measured) {
            json_object_set_new(x, "outcome", json_string(rg_outcome_word(n->outcome)));
            if (n->outcome == RG_OUTCOME_OK) json_object_set_new(x, "time_us", json_real(n->time_us));
            json_object_set_new(x, "evals", json_integer(n->cost > 0 ? n->cost : 1));
            json_object_set_new(x, "limiter", json_string(rg_limiter_word(n->limiter)));
        }
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
        json_object_set_new(x, "actions", actions);
        json_array_append_new(nodes, x);
    }
    json_object_set_new(o, "nodes", nodes);
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(o);
    enum rg_status st = text ? rg_file_write(path, text, strlen(text), err) : rg_error_set(err, RG_NOMEM, "%s", path);
    free(text);
    return st;
}

struct deed {
    int parent;
    char *step, *site;
    enum rg_limiter limiter;
    int evals;
};

static bool small(const json_t *o, const char *key, int *out)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > MOST_NODES) return false;
    *out = (int)json_integer_value(v);
    return true;
}

static void take_figure(struct table *t, const json_t *o, int node, enum rg_limiter limiter)
{
    struct table_node *n = table_node(t, node);
    int outcome = rg_outcome_parse(text_of(o, "outcome", "ok"));
    if (!json_is_true(json_object_get(o, "measured")) || outcome < 0) return;
    n->measured = true;
    n->outcome = (enum rg_outcome)outcome;
    n->time_us = json_number_value(json_object_get(o, "time_us"));
    if (limiter != RG_LIMIT_UNKNOWN) n->limiter = limiter;
}

static void take_line(struct table *t, const json_t *o, struct deed *deeds, int most)
{
    const char *kind = text_of(o, "line", "");
    int a, node, parent;
    if (!strcmp(kind, "run")) {
        free(t->klass);
        free(t->device);
        t->klass = rg_xstrdup(text_of(o, "class", "other"));
        t->device = rg_xstrdup(text_of(o, "device", "sim:h200"));
    } else if (!strcmp(kind, "naive"))
        t->naive_us = json_number_value(json_object_get(o, "time_us"));
    if (!small(o, "a", &a) || a > most) return;
    struct deed *d = &deeds[a];
    if (!strcmp(kind, "action") && small(o, "parent", &parent) && json_object_get(o, "step")) {
        d->parent = parent;
        free(d->step);
        free(d->site);
        /* The baseline's own actions are no edges of the search graph. */
        bool own = strcmp(text_of(o, "purpose", ""), "naive") != 0;
        d->step = own ? rg_xstrdup(text_of(o, "step", "")) : NULL;
        d->site = own ? rg_xstrdup(text_of(o, "site", "")) : NULL;
    } else if (!strcmp(kind, "eval")) {
        int l = rg_limiter_parse(text_of(json_object_get(o, "evaluation"), "limiter", "unknown"));
        if (l > 0) d->limiter = (enum rg_limiter)l;
        d->evals++;
    } else if (!strcmp(kind, "settled") && small(o, "node", &node))
        take_figure(t, o, node, RG_LIMIT_UNKNOWN);
    else if (!strcmp(kind, "result")) {
        bool has = small(o, "node", &node);
        int outcome = rg_outcome_parse(text_of(o, "outcome", "compile"));
        if (has) {
            take_figure(t, o, node, d->limiter);
            t->nodes[node].cost += d->evals;
        }
        if (d->step && *d->step)
            table_action(t, d->parent, d->step, d->site, has ? node : -1,
                         outcome > 0 ? (enum rg_outcome)outcome : RG_OUTCOME_COMPILE);
    }
}

enum rg_status table_from_journal(const char *path, const char *name, struct table **out, struct rg_error *err)
{
    char *text;
    size_t len;
    *out = NULL;
    enum rg_status st = rg_file_read(path, 0, &text, &len, err);
    if (st != RG_OK) return st;
    int lines = 0;
    for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
    struct table *t = rg_xcalloc(1, sizeof *t);
    t->name = rg_xstrdup(name);
    table_node(t, 0);
    struct deed *deeds = rg_xcalloc((size_t)lines + 1, sizeof *deeds);
    for (char *at = text, *end; st == RG_OK && (end = memchr(at, '\n', len - (size_t)(at - text))); at = end + 1) {
        json_t *o = rg_json_parse(at, (size_t)(end - at), path, err);
        if (!o)
            st = RG_INPUT;
        else
            take_line(t, o, deeds, lines);
        json_decref(o);
    }
    for (int i = 0; i <= lines; i++) {
        free(deeds[i].step);
        free(deeds[i].site);
    }
    free(deeds);
    free(text);
    table_best(t);
    if (st == RG_OK && (t->n < 2 || t->best_us == 0))
        st = rg_error_set(err, RG_INPUT, "%s: the journal holds no verified candidate", path);
    if (st == RG_OK)
        *out = t;
    else
        table_free(t);
    return st;
}
