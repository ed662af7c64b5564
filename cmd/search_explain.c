/* --explain: the problem as understood, what is legal on it, how the tree came about. */
#include "cmd/search.h"
#include <rg/file.h>
#include <rg/frontend.h>
#include <rg/poly.h>
#include <stdlib.h>
#include <string.h>

void search_explain_pass(void *arg, const char *name, const char *what, double seconds, const struct rg_ctree *t)
{
    struct rg_buf *last = arg, now = RG_BUF_INIT;
    rg_c_print(&now, t, t->root, NULL);
    bool same = last->len == now.len && !memcmp(last->data, now.data, now.len);
    printf("== %s: %s (%.3f ms)%s\n", name, what, 1e3 * seconds, same ? ": no change" : "");
    if (!same) fwrite(now.data, 1, now.len, stdout);
    rg_buf_release(last);
    *last = now;
}

/* What a run of the C shows: the bytes that must move, and what verification would refuse it for. */
static void explain_run(struct search_session *s, struct rg_buf *b)
{
    const struct rg_farm_options o = {
        .seed = (uint64_t)s->o.seed, .reference_s = 5, .until = rg_now() + 2 * search_look_s(s)};
    struct rg_farm_info i;
    struct rg_error e = RG_ERROR_INIT;
    char text[1500];
    if (rg_farm_look(&o, s->problem, &i, &e) != RG_OK) {
        rg_buf_printf(b, "verification\n  %s%s\n", e.status == RG_INPUT ? "refuses it: " : "",
                      rg_error_format(&e, text, sizeof text));
        return;
    }
    rg_buf_str(b, "bytes that must move at the timed size\n  ");
    if (i.traffic == RG_TRAFFIC_UNKNOWN)
        rg_buf_printf(b, "unknown: %s", i.traffic_why);
    else
        rg_buf_printf(b, "%.4g read, %.4g written (%s)%s%s", i.read_bytes, i.write_bytes, rg_traffic_word(i.traffic),
                      i.traffic_why[0] ? ", " : "", i.traffic_why);
    rg_buf_char(b, '\n');
}

/* One more action on a template, which it takes over; NULL: refused, and said. */
static struct rg_template *acted(struct search_session *s, struct rg_template *parent, const struct rg_step *step,
                                 const char *site)
{
    struct rg_coder *c = &s->coders[0];
    struct rg_answer a;
    struct rg_error err = RG_ERROR_INIT;
    bool got = false;
    char text[1500];
    enum rg_status st = c->submit(c->self, 1, parent, step, site, NULL, &err);
    if (st == RG_OK) st = c->poll(c->self, 0, &a, &got, &err);
    rg_template_unref(parent);
    if (got && a.kind == RG_ANSWER_TEMPLATE) return a.tmpl;
    rg_cmd_message("%s@%s: %s", step->id, site, got ? a.message : rg_error_format(&err, text, sizeof text));
    return NULL;
}

/* "STEP@SITE,STEP": the template that it makes; NULL: why not was said. */
static struct rg_template *chain(struct search_session *s, const char *text)
{
    struct rg_template *t = NULL;
    char *copy = rg_xstrdup(text), *rest = copy;
    bool ok = true;
    for (char *link; ok && (link = strsep(&rest, ",")) != NULL;) {
        char *site = strchr(link, '@');
        if (site) *site++ = 0;
        int step = rg_regraph_find(s->graph, link);
        char near[160];
        if (step < 0)
            rg_cmd_message(
                "--apply: the graph has no step '%s'%s (--explain=kernel takes STEP@SITE,... without tunables)", link,
                rg_regraph_did_you_mean(s->graph, link, near));
        t = step < 0 ? (rg_template_unref(t), NULL) : acted(s, t, rg_regraph_step(s->graph, step), site ? site : "C");
        ok = t != NULL;
    }
    free(copy);
    return t;
}

static bool print_kernels(struct rg_template *t, struct rg_buf *b)
{
    struct rg_error err = RG_ERROR_INIT;
    char text[1500];
    bool ok = t && rg_poly_explain_kernels(t, b, &err) == RG_OK;
    if (t && !ok) rg_cmd_message("%s", rg_error_format(&err, text, sizeof text));
    rg_template_unref(t);
    return ok;
}

int search_explain_kernels(struct search_session *s)
{
    struct rg_buf b = RG_BUF_INIT;
    bool ok = s->has_poly;
    if (!ok)
        rg_cmd_message("the built-in coder can do nothing here: %s",
                       s->poly_reason[0] ? s->poly_reason : "it is not asked");
    if (ok && s->o.apply) {
        rg_buf_printf(&b, "== %s\n", s->o.apply);
        ok = print_kernels(chain(s, s->o.apply), &b);
    }
    for (int i = 0; ok && !s->o.apply && i < rg_regraph_steps(s->graph); i++) {
        const struct rg_step *step = rg_regraph_step(s->graph, i);
        struct rg_site_list l = {0};
        if (step->poly) s->coders[0].sites(s->coders[0].self, NULL, step, &l, NULL);
        for (int k = 0; k < l.n; k++) {
            rg_buf_printf(&b, "== %s@%s\n", step->id, l.items[k].name);
            ok = print_kernels(acted(s, NULL, step, l.items[k].name), &b) && ok;
        }
        rg_site_list_release(&l);
    }
    fwrite(b.data, 1, b.len, stdout);
    rg_buf_release(&b);
    return ok ? 0 : rg_status_exit(RG_INPUT);
}

int search_explain(struct search_session *s)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_frontend_explain(&b, s->problem, s->tree);
    explain_run(s, &b);
    if (s->has_poly) {
        int n = rg_regraph_steps(s->graph);
        const struct rg_step **steps = rg_xcalloc((size_t)n, sizeof *steps);
        for (int i = 0; i < n; i++) steps[i] = rg_regraph_step(s->graph, i);
        rg_buf_char(&b, '\n');
        rg_poly_explain(&s->coders[0], steps, n, &b);
        free(steps);
    } else if (s->poly_reason[0]) {
        rg_buf_printf(&b, "\nThe built-in coder can do nothing here: %s\n", s->poly_reason);
    }
    fwrite(b.data, 1, b.len, stdout);
    rg_buf_release(&b);
    return 0;
}
