/* The lines of a journal, a function each (docs/journal.md). */
#include "base/json_members.h"
#include "engine/engine.h"
#include "engine/journal_line_json.h"
#include <math.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *line(const char *kind)
{
    json_t *o = json_object();
    json_object_set_new(o, "line", json_string(kind));
    return o;
}

static void set_int(json_t *o, const char *key, json_int_t v)
{
    json_object_set_new(o, key, json_integer(v));
}
static void set_text(json_t *o, const char *key, const char *v)
{
    json_object_set_new(o, key, v ? rg_json_text(v) : json_null());
}
static void set_real(json_t *o, const char *key, double v)
{
    json_object_set_new(o, key, rg_json_any_number(v));
}
static void set_node(json_t *o, const char *key, uint32_t v)
{
    json_object_set_new(o, key, v == RG__NONE ? json_null() : json_integer(v));
}

static void set_vector(json_t *o, const struct rg_tunables *t, const struct rg_vector *v)
{
    json_t *x = json_object();
    for (int i = 0; i < t->n && i < v->n; i++) json_object_set_new(x, t->items[i].name, json_integer(v->values[i]));
    json_object_set_new(o, "vector", x);
}

static json_t *header(struct rg__search *s)
{
    json_t *o = line("run"), *coders = json_array(), *opt = json_object(), *g = json_object(), *forbid = json_array();
    set_text(o, "schema", "regraph-journal/1");
    set_text(o, "run", s->run_id);
    set_text(o, "function", s->o->function ? s->o->function : "");
    set_text(o, "class", s->o->klass ? s->o->klass : "other");
    if (s->o->program) set_text(o, "program", s->o->program);
    set_text(o, "device", s->ev->arch);
    json_object_set_new(o, "estimated", json_boolean(s->ev->estimated));
    for (int c = 0; c < s->n_coders; c++) json_array_append_new(coders, json_string(s->coders[c]->name));
    json_object_set_new(o, "coders", coders);
    json_t *first = json_array();
    for (int i = 0; i < s->n_first; i++) {
        struct rg_link l = {(char *)rg_regraph_step(s->g, s->first[i].step)->id, (char *)s->first[i].site};
        json_array_append_new(first, rg_members_json(rg_link_members, &l));
    }
    if (s->n_first)
        json_object_set_new(o, "first", first);
    else
        json_decref(first);
    struct rg_buf b = RG_BUF_INIT;
    char sha[65] = "";
    if (rg_regraph_print(s->g, &b, NULL) == RG_OK) rg_sha256_hex(b.data, b.len, sha);
    rg_buf_release(&b);
    set_text(g, "name", rg_regraph_name(s->g));
    set_text(g, "sha256", sha);
    json_object_set_new(o, "graph", g);
    bool as_bits = rg__journal_traits_as_bits(s->journal);
    json_object_set_new(o, "traits", as_bits ? json_integer(s->o->traits) : rg_json_traits(s->o->traits));
    set_text(opt, "policy", s->o->apply ? "apply" : rg__policy_find(s->o->policy)->name);
    set_text(opt, "seed", "");
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->o->seed);
    set_text(opt, "seed", seed);
    set_int(opt, "in_flight", s->in_flight);
    set_int(opt, "max_depth", s->max_depth);
    json_t *constants = json_object();
    for (int i = 0; i < rg__n_params; i++) set_real(constants, rg__param_list[i].name, rg__param_value(&s->p, i));
    json_object_set_new(opt, "constants", constants);
    for (int i = 0; i < s->o->n_forbid; i++) json_array_append_new(forbid, json_string(s->o->forbid[i]));
    json_object_set_new(opt, "forbid", forbid);
    set_text(opt, "apply", s->o->apply);
    if (s->o->total) set_text(opt, "objective", "total");
    if (s->o->prune) set_text(opt, "prune", "on");
    if (s->o->given) {
        char key[65];
        rg__given_key(s->o->given, key);
        set_text(opt, "given", key);
    }
    json_object_set_new(o, "options", opt);
    return o;
}

/* The budgets may change from session to session, and so may what the driver permits and why pruning is on or off: they
 * stand with the clock. */
static json_t *budgets(const struct rg__search *s)
{
    json_t *o = json_object();
    set_int(o, "evals", s->o->evals);
    set_real(o, "seconds", s->o->seconds);
    set_int(o, "patience", s->o->patience);
    if (s->o->prune_how) set_text(o, "prune", s->o->prune_how);
    if (s->o->hardware_counters) set_text(o, "hardware_counters", s->o->hardware_counters);
    if (s->origin.date && *s->origin.date) {
        json_t *from = json_object();
        set_text(from, "date", s->origin.date);
        set_text(from, "version", s->origin.version);
        set_text(from, "machine", s->origin.machine);
        json_object_set_new(o, "origin", from);
    }
    return o;
}

enum rg_status rg__line_run(struct rg__search *s, struct rg_error *err)
{
    return rg__journal_emit(s, header(s), budgets(s), err);
}

static void set_from(const struct rg__search *s, json_t *o, const struct rg__action *a)
{
    int edge = a->edge == RG__NONE ? -1 : s->edges[a->edge].regraph_edge;
    if (edge < 0) return;
    int from = rg_regraph_edge(s->g, edge)->from;
    set_text(o, "from", from < 0 ? "@start" : rg_regraph_step(s->g, from)->id);
}

enum rg_status rg__line_action(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("action");
    set_int(o, "a", a->id);
    set_text(o, "purpose", a->purpose);
    set_int(o, "parent", a->parent);
    if (!a->wants_coder)
        set_node(o, "target", a->target);
    else {
        set_text(o, "step", rg_regraph_step(s->g, a->step)->id);
        set_text(o, "site", a->site);
        set_text(o, "coder", s->coders[a->coder]->name);
        if (s->coders[a->coder]->family) set_text(o, "family", s->coders[a->coder]->family);
        set_int(o, "sample", a->sample);
    }
    set_from(s, o, a);
    json_t *clock = json_object();
    if (a->edge != RG__NONE) set_real(clock, "prior", s->edges[a->edge].prior);
    return rg__journal_emit(s, o, clock, err);
}

/* Draft costs of all its vectors: numbers of vectors (the first tunable's index counts one, the next one's as many as
 * that has values, ...), and thousandths of ln us. */
static json_t *drafts_json(const struct rg_tunables *t, const struct rg__drafted *d)
{
    json_t *at = json_array(), *ln = json_array();
    for (int k = 0; k < d->n; k++) {
        json_int_t number = 0, unit = 1;
        for (int i = 0; i < t->n; unit *= t->items[i++].n_values) number += d->at[k][i] * unit;
        json_array_append_new(at, json_integer(number));
        json_array_append_new(ln, json_integer(lround(1000 * (double)d->ln_us[k])));
    }
    return json_pack("[o, o]", at, ln);
}

enum rg_status rg__line_answer(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    static const char *const kinds[] = {"template", "refused", "failed"};
    json_t *o = line("answer"), *clock = json_object();
    set_int(o, "a", a->id);
    set_text(o, "kind", kinds[a->answer.kind]);
    if (a->answer.request[0]) set_text(o, "request", a->answer.request);
    if (a->answer.kind == RG_ANSWER_TEMPLATE) {
        char sha[65];
        rg_sha256_hex(a->tmpl->key, strlen(a->tmpl->key), sha);
        sha[16] = 0;
        set_text(o, "key", sha);
        rg_members_put(o, rg_tunables_members, &a->tmpl->tunables);
        bool recorded = rg__policy_find(s->o->policy) == &rg__policy_exhaustive && !s->o->apply &&
                        (a->measure || s->policy == &rg__policy_baseline);
        const struct rg__drafted *d = recorded ? rg__drafted_list(s, a->tmpl) : NULL;
        if (d) json_object_set_new(o, "drafts", drafts_json(&a->tmpl->tunables, d));
    } else {
        set_text(o, "outcome", rg_outcome_word(a->answer.outcome));
        set_int(o, "status", a->answer.status);
        set_text(o, "message", a->answer.message);
        if (a->answer.refusal != RG_REFUSE_NONE) set_text(o, "refusal", rg_refusal_word(a->answer.refusal));
        if (a->answer.line) set_int(o, "line", a->answer.line);
    }
    set_real(clock, "seconds", a->answer.seconds);
    return rg__journal_emit(s, o, clock, err);
}

enum rg_status rg__line_eval(struct rg__search *s, const struct rg__action *a, int k, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line(a->shots[k].reused ? "reused" : "eval");
    set_int(o, "a", a->id);
    set_int(o, "k", k);
    set_vector(o, &a->tmpl->tunables, &a->shots[k].v);
    set_text(o, "source", a->shots[k].source);
    if (a->shots[k].reused) { /* measured before, under another action */
        set_text(o, "outcome", rg_outcome_word(a->shots[k].e->outcome));
        set_real(o, "time_us", a->shots[k].e->time_us);
        set_text(o, "limiter", rg_limiter_word(a->shots[k].e->limiter));
        return rg__journal_emit(s, o, NULL, err);
    }
    if (a->shots[k].draft_us > 0) set_real(o, "draft_us", a->shots[k].draft_us);
    json_object_set_new(o, "evaluation", rg_members_json(rg_evaluation_members, a->shots[k].e));
    return rg__journal_emit(s, o, rg_members_json(rg_evaluation_clock_members, a->shots[k].e), err);
}

static void set_figure(struct rg__search *s, json_t *o, uint32_t node, enum rg_outcome outcome)
{
    set_node(o, "node", node);
    set_text(o, "outcome", rg_outcome_word(outcome));
    if (node == RG__NONE) return;
    const struct rg__node *n = &s->nodes[node];
    json_object_set_new(o, "measured", json_boolean(n->n_trials > 0));
    set_real(o, "time_us", node == RG__ROOT ? 0 : rg__node_kernel(s, node));
    const struct rg__trial *t = rg__node_best(s, node);
    if (t) set_vector(o, &n->tmpl->tunables, &t->v);
}

enum rg_status rg__line_result(struct rg__search *s, const struct rg__action *a, bool fresh, bool noop, bool credit,
                               enum rg_outcome outcome, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("result");
    set_int(o, "a", a->id);
    set_figure(s, o, a->node, outcome);
    json_object_set_new(o, "new", json_boolean(fresh));
    json_object_set_new(o, "noop", json_boolean(noop));
    json_object_set_new(o, "credit", json_boolean(credit));
    if (a->asked_step >= 0) { /* the coder did something else than it was asked */
        set_text(o, "step", rg_regraph_step(s->g, a->step)->id);
        set_from(s, o, a);
    }
    return rg__journal_emit(s, o, NULL, err);
}

enum rg_status rg__line_again(struct rg__search *s, const struct rg__action *a, int k, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("again");
    set_int(o, "a", a->id);
    set_int(o, "k", k);
    set_int(o, "node", a->node);
    set_vector(o, &s->nodes[a->node].tmpl->tunables, &s->nodes[a->node].trials[a->again_trial].v);
    json_object_set_new(o, "evaluation", rg_members_json(rg_evaluation_members, a->again));
    return rg__journal_emit(s, o, rg_members_json(rg_evaluation_clock_members, a->again), err);
}

enum rg_status rg__line_duel(struct rg__search *s, const struct rg__action *a, int k, const struct rg_duel *d,
                             struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("duel");
    set_int(o, "a", a->id);
    set_int(o, "k", k);
    set_real(o, "ratio", d->ratio);
    json_object_set_new(o, "significant", json_boolean(d->significant));
    if (d->a_us > 0 && d->b_us > 0) json_object_set_new(o, "us", json_pack("[f, f]", d->a_us, d->b_us));
    return rg__journal_emit(s, o, NULL, err);
}

enum rg_status rg__line_counters(struct rg__search *s, const struct rg__action *a, int k, const struct rg_source *src,
                                 const struct rg_counter *c, int n, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    char sha[65];
    json_t *o = line("counters"), *all = json_object();
    rg_sha256_hex(src->cuda, strlen(src->cuda), sha);
    set_int(o, "a", a->id);
    set_int(o, "k", k);
    set_text(o, "source", sha);
    set_text(o, "device", s->ev->device);
    for (int i = 0; i < n; i++) set_real(all, c[i].name, c[i].value);
    json_object_set_new(o, "counters", all);
    return rg__journal_emit(s, o, NULL, err);
}

enum rg_status rg__line_settled(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("settled");
    set_int(o, "a", a->id);
    set_figure(s, o, a->node, s->nodes[a->node].outcome);
    json_object_set_new(o, "best", json_boolean(a->best));
    return rg__journal_emit(s, o, NULL, err);
}

enum rg_status rg__line_naive(struct rg__search *s, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("naive");
    set_int(o, "node", s->naive_node);
    set_real(o, "time_us", s->naive_kernel_us);
    return rg__journal_emit(s, o, NULL, err);
}

enum rg_status rg__line_end(struct rg__search *s, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("end");
    set_text(o, "reason", s->end_reason ? s->end_reason : "exhausted");
    set_int(o, "evaluations", s->out->evaluations);
    return rg__journal_close_section(s, o, err);
}

enum rg_status rg__line_evidence(struct rg__search *s, const struct rg_search_row *row, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    const struct rg_edge *e = rg_regraph_edge(s->g, row->edge);
    json_t *o = line("evidence"), *fail = json_object();
    set_text(o, "from", e->from < 0 ? "@start" : rg_regraph_step(s->g, e->from)->id);
    set_text(o, "to", rg_regraph_step(s->g, e->to)->id);
    set_text(o, "coder", row->row.coder);
    set_int(o, "n", row->row.n);
    set_int(o, "ok", row->row.ok);
    set_int(o, "sum", row->row.sum);
    set_int(o, "sumsq", row->row.sumsq);
    if (row->row.ok) set_int(o, "max", row->row.max);
    for (int i = 0; i < RG_N_OUTCOMES; i++)
        if (row->row.fail[i]) set_int(fail, rg_outcome_word((enum rg_outcome)i), row->row.fail[i]);
    json_object_set_new(o, "fail", fail);
    if (row->row.refused) set_int(o, "refused", row->row.refused);
    if (row->row.lead) set_int(o, "lead", row->row.lead);
    if (row->row.n_tuned) json_object_set_new(o, "tuned", rg__tuned_json(&row->row));
    return rg__journal_emit(s, o, NULL, err);
}

/* Of the versions that the best was made from and that nobody measured: the times that are expected at their cheapest
 * values. */
static json_t *expected_json(struct rg__search *s)
{
    json_t *list = json_array();
    struct rg__process *g = rg__drafted_process(s);
    bool *seen = rg_xcalloc((size_t)s->n_nodes + 1, sizeof *seen);
    uint32_t *todo = rg_xmalloc(((size_t)s->n_nodes + 1) * sizeof *todo);
    int n = 0;
    seen[s->best_node] = true;
    todo[n++] = s->best_node;
    for (int i = 0; i < n; i++) {
        double us = rg__ahead_expected(s, g, todo[i]);
        if (us > 0) json_array_append_new(list, json_pack("{s:i, s:f}", "node", (int)todo[i], "time_us", us));
        for (uint32_t e = s->nodes[todo[i]].first_in; e != RG__NONE; e = s->edges[e].next_in) {
            uint32_t parent = s->edges[e].parent;
            if (!seen[parent]) seen[parent] = true, todo[n++] = parent;
        }
    }
    free(todo);
    free(seen);
    free(g);
    return list;
}

enum rg_status rg__line_final(struct rg__search *s, struct rg_error *err)
{
    if (!s->journal) return RG_OK;
    json_t *o = line("final"), *chain = json_array(), *clock = json_object();
    set_int(o, "nodes", s->out->nodes);
    set_real(o, "naive_us", s->naive_kernel_us);
    set_node(o, "node", s->best_us > 0 ? s->best_node : RG__NONE);
    if (s->best_us > 0) {
        const struct rg__node *n = &s->nodes[s->best_node];
        set_real(o, "time_us", rg__trial_evaluation(&n->trials[s->best_trial])->time_us);
        if (s->paired_best_us > 0)
            json_object_set_new(o, "paired_us",
                                json_pack("{s:f, s:f}", "best", s->paired_best_us, "naive", s->paired_naive_us));
        set_vector(o, &n->tmpl->tunables, &n->trials[s->best_trial].v);
        struct rg_link *all;
        int n_all, n_first = rg__first_chain(s, n->tmpl, &all, &n_all);
        for (int i = 0; i < n_all; i++) json_array_append_new(chain, rg_members_json(rg_link_members, &all[i]));
        if (n_first) set_int(o, "first", n_first);
        free(all);
        json_object_set_new(clock, "expected", expected_json(s));
    }
    json_object_set_new(o, "chain", chain);
    return rg__journal_emit(s, o, clock, err);
}
