/* What the built-in coder would not do to the sequential code and to the best, and why. */
#include "base/json_util.h"
#include "cmd/search.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/poly.h>
#include <stdint.h>
#include <string.h>

enum { MOST_REFUSALS = 400 };

static json_t *refusal(const struct search_session *s, const struct rg_refusal *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string(rg_refusal_word(r->kind)));
    json_object_set_new(o, "message", rg_json_text(r->reason));
    json_object_set_new(o, "file", r->line > 0 && s->problem->file ? rg_json_text(s->problem->file) : json_null());
    json_object_set_new(o, "line", r->line > 0 ? json_integer(r->line) : json_null());
    return o;
}

static void refused(const struct search_session *s, const struct rg_template *t, const char *after, json_t *list)
{
    for (int i = 0; s->has_poly && i < rg_regraph_steps(s->graph); i++) {
        const struct rg_step *step = rg_regraph_step(s->graph, i);
        struct rg_site_list l = {0};
        struct rg_coder *c = (struct rg_coder *)(uintptr_t)&s->coders[0];
        if (step->poly) c->sites(c->self, t, step, &l, NULL);
        for (int k = 0; k < l.n_refused && json_array_size(list) < MOST_REFUSALS; k++)
            json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "after", rg_json_text(after), "step",
                                                  rg_json_text(step->id), "site", rg_json_text(l.refused[k].site),
                                                  "refusal", refusal(s, &l.refused[k])));
        rg_site_list_release(&l);
    }
}

/* Of a function with many loops it takes seconds to ask all, which the end of a run hasn't got. */
static void grant(const struct search_session *s)
{
    const double least_s = 0.3, share = 0.02;
    double more = least_s + share * s->o.time;
    if (s->o.time > 0) rg_poly_bound(NULL, more, rg_now() + more);
}

json_t *search_refusals(struct search_session *s, bool closed)
{
    if (s->refusals) return json_incref(s->refusals); /* of the end */
    json_t *list = json_array();
    if (closed) grant(s);
    if (closed) s->refusals = json_incref(list);
    refused(s, NULL, "", list);
    const struct rg_template *best = s->result.best;
    if (!closed || !best || strcmp(best->coder, "poly")) return list;
    struct rg_buf chain = RG_BUF_INIT;
    for (int i = 0; i < s->result.n_chain; i++)
        rg_buf_printf(&chain, "%s%s@%s", i ? ", " : "", s->result.chain[i].step, s->result.chain[i].site);
    refused(s, best, chain.data, list);
    rg_buf_release(&chain);
    return list;
}

void search_refusals_free(struct search_session *s)
{
    json_decref(s->refusals);
    s->refusals = NULL;
}
