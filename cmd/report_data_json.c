/* The figures of a page as data for the script that draws them. */
#include "base/json_util.h"
#include "cmd/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *text(const char *s)
{
    return rg_json_text(s);
}

static json_t *vector(const struct report_vector *v)
{
    json_t *o = json_object();
    for (int i = 0; i < v->n; i++) json_object_set_new(o, v->items[i].name, json_integer(v->items[i].value));
    return o;
}

static json_t *evals(const struct report_run *r)
{
    json_t *list = json_array();
    for (int i = 0; i < r->n_evals; i++) {
        const struct report_eval *e = &r->evals[i];
        double x = NAN, y = NAN;
        report_roof(r, e, &x, &y);
        json_t *o = json_pack("{s:i, s:f, s:i, s:o, s:s, s:o}", "n", e->number, "t", e->seconds, "node", e->node, "us",
                              e->us > 0 ? json_real(e->us) : json_null(), "outcome", rg_outcome_word(e->outcome),
                              "vector", vector(&e->vector));
        json_object_set_new(o, "step", text(e->step));
        json_object_set_new(o, "site", text(e->site));
        json_object_set_new(o, "limiter", text(e->limiter));
        json_object_set_new(o, "x", rg_json_number(x));
        json_object_set_new(o, "y", rg_json_number(y));
        if (*e->message) json_object_set_new(o, "message", text(e->message));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *nodes(const struct report_run *r)
{
    json_t *list = json_array();
    for (int i = 0; i < r->n_nodes; i++) {
        const struct report_node *n = &r->nodes[i];
        const struct report_action *a = &r->actions[n->action];
        bool won = false;
        for (int k = 0; k < r->n_chain; k++) won = won || r->chain[k].node == n->number;
        json_array_append_new(list,
                              json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:b}", "id", n->number, "parent", a->parent,
                                        "step", text(a->step), "site", text(a->site), "coder", text(a->coder), "us",
                                        n->measured ? json_real(n->us) : json_null(), "won", won));
    }
    return list;
}

static json_t *run(const struct report_run *r)
{
    struct report_importance *all;
    int n = report_importance(r, &all);
    json_t *o = json_object(), *importance = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(importance, json_pack("{s:o, s:f}", "name", text(all[i].name), "share", all[i].share));
    free(all);
    json_object_set_new(o, "label", text(r->label));
    json_object_set_new(o, "function", text(r->function));
    json_object_set_new(o, "estimated", json_boolean(r->estimated));
    json_object_set_new(o, "closed", json_boolean(r->closed));
    json_object_set_new(o, "seconds", json_real(r->seconds));
    json_object_set_new(o, "sol_us", rg_json_number(r->sol_ms * 1e3));
    json_object_set_new(o, "naive_us", r->naive_us > 0 ? json_real(r->naive_us) : json_null());
    json_object_set_new(o, "copy_bytes_s", rg_json_number(r->copy_bytes_s));
    json_object_set_new(o, "flop_s", rg_json_number(r->flop_s));
    json_object_set_new(o, "best_node", json_integer(r->best_node));
    json_object_set_new(o, "best_us", r->best_us > 0 ? json_real(r->best_us) : json_null());
    json_object_set_new(o, "importance", importance);
    json_object_set_new(o, "evals", evals(r));
    json_object_set_new(o, "nodes", nodes(r));
    return o;
}

/* '<' is written as an escape, so that nothing in it can end the script element or begin a comment. */
char *report_data(const struct report_run *const *runs, int n, bool live)
{
    json_t *o = json_object(), *list = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(list, run(runs[i]));
    json_object_set_new(o, "live", json_boolean(live));
    json_object_set_new(o, "runs", list);
    char *plain = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(6));
    struct rg_buf b = RG_BUF_INIT;
    for (const char *s = plain ? plain : "null"; *s; s++) {
        if (*s == '<')
            rg_buf_str(&b, "\\u003c");
        else
            rg_buf_char(&b, *s);
    }
    free(plain);
    json_decref(o);
    return rg_buf_steal(&b);
}
